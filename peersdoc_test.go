package penstock_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

var (
	peerTests = regexp.MustCompile(`\[([\w/]+_test\.go)\]\(\.\./([\w/]+_test\.go)\) ((?:Test|Fuzz)\w+(?:, (?:Test|Fuzz)\w+)*)`)
	tableRow  = regexp.MustCompile(`^\|.*\|$`)
	tableLine = regexp.MustCompile(`^\|[-|]+\|$`)
)

// Each line of docs/peers.md says which tests hold it, and these exist where it says.
func TestPeers(t *testing.T) {
	const page = "docs/peers.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	rows, head := 0, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if tableLine.MatchString(line) {
			head = ""
			continue
		}
		if head != "" { // no heading after all
			rows++
			check(t, page, head)
		}
		if head = ""; tableRow.MatchString(line) {
			head = line
		}
	}
	if rows < 50 {
		t.Errorf("%s has %d rows: it is not read as it is meant", page, rows)
	}
}

// check wants a row's last cell to name tests that are there.
func check(t *testing.T, page, row string) {
	t.Helper()
	cells := strings.Split(strings.TrimSuffix(row, " |"), " | ")
	named := peerTests.FindAllStringSubmatch(cells[len(cells)-1], -1)
	if len(named) == 0 {
		t.Errorf("%s: no test holds this: %s", page, row)
	}
	for _, n := range named {
		shown, file := n[1], n[2]
		source, err := os.ReadFile(file)
		if err != nil || shown != file {
			t.Errorf("%s: %s, shown as %s: %v", page, file, shown, err)
			continue
		}
		for name := range strings.SplitSeq(n[3], ", ") {
			if !strings.Contains(string(source), "func "+name+"(") {
				t.Errorf("%s: there is no %s in %s", page, name, file)
			}
		}
	}
}
