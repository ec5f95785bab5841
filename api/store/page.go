package store

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	defaultLimit = 50
	maxLimit     = 200
	macBytes     = 16
)

// ListOptions chooses a part of a list. The zero value is the first page in the
// list's usual order.
type ListOptions struct {
	Limit  int    // 0: 50; more than 200: 200
	Cursor string // List.Next of the page before; "": the first page
	Sort   string // a name the list knows, "-" in front for descending
	Count  bool   // fill List.Total
}

// List is one page.
type List[T any] struct {
	Items []T
	Next  string // cursor of the next page; "" when this is the last
	Total int64  // of all pages, when asked for
}

// sorting is the order of a list. Rows with the same value follow their id.
type sorting struct {
	name string
	col  string
	desc bool
}

// parseSort reads the sort order asked for; "" is the usual one.
func parseSort(asked, usual string, allowed []string) (sorting, error) {
	if asked == "" {
		asked = usual
	}
	col, desc := strings.CutPrefix(asked, "-")
	if slices.Contains(allowed, col) {
		return sorting{name: asked, col: col, desc: desc}, nil
	}
	return sorting{}, fmt.Errorf("%w: sort by one of %s", ErrCursor, strings.Join(allowed, ", "))
}

func (s sorting) orderBy() string {
	dir := ""
	if s.desc {
		dir = " DESC"
	}
	return " ORDER BY " + s.col + dir + ", id" + dir
}

// position is what a cursor holds: the last row of the page before.
type position struct {
	Table string          `json:"t"`
	Sort  string          `json:"s"`
	Key   json.RawMessage `json:"k"`
	ID    string          `json:"i"`
}

// cursor seals a position, so that nobody can make one up.
func (s *Store) cursor(p position) (string, error) {
	b, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("make cursor: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(append(s.mac(b), b...)), nil
}

// position opens a cursor of the list of that table and order.
func (s *Store) position(cursor, table string, order sorting) (key any, id string, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) <= macBytes || !hmac.Equal(raw[:macBytes], s.mac(raw[macBytes:])) {
		return nil, "", fmt.Errorf("%w: begin again without a cursor", ErrCursor)
	}
	var p position
	if err := json.Unmarshal(raw[macBytes:], &p); err != nil {
		return nil, "", fmt.Errorf("%w: %w", ErrCursor, err)
	}
	if p.Table != table || p.Sort != order.name {
		return nil, "", fmt.Errorf("%w: it belongs to another list or order", ErrCursor)
	}
	if bytes.HasPrefix(p.Key, []byte(`"`)) {
		var text string
		err = json.Unmarshal(p.Key, &text)
		return text, p.ID, err
	}
	n, err := strconv.ParseInt(string(p.Key), 10, 64)
	return n, p.ID, err
}

func (s *Store) mac(b []byte) []byte {
	h := hmac.New(sha256.New, s.cursorSecret)
	h.Write(b)
	return h.Sum(nil)[:macBytes]
}

// where gathers the conditions of a query. In a condition "?" stands for the
// value given with it.
type where struct {
	parts []string
	args  []any
}

func (w *where) add(cond string, args ...any) {
	var b strings.Builder
	for part := range strings.SplitSeq(cond, "?") {
		if b.Len() > 0 {
			w.args = append(w.args, args[0])
			args = args[1:]
			b.WriteString("$" + strconv.Itoa(len(w.args)))
		}
		b.WriteString(part)
	}
	w.parts = append(w.parts, b.String())
}

// equal adds col = v unless v is empty.
func (w *where) equal(col, v string) {
	if v != "" {
		w.add(col+" = ?", storable(v))
	}
}

// in adds that col is one of list; no condition for an empty list.
func (w *where) in(col string, list []string) {
	if len(list) == 0 {
		return
	}
	args := make([]any, len(list))
	for i, v := range list {
		args[i] = storable(v)
	}
	w.add(col+" IN ("+strings.TrimSuffix(strings.Repeat("?, ", len(list)), ", ")+")", args...)
}

// contains adds that one of the columns has the text in it, whatever its case.
func (w *where) contains(text string, cols ...string) {
	if text == "" {
		return
	}
	pattern := "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(storable(text)) + "%"
	conds := make([]string, len(cols))
	args := make([]any, len(cols))
	for i, c := range cols {
		conds[i], args[i] = "lower("+c+`) LIKE lower(?) ESCAPE '\'`, pattern
	}
	w.add("("+strings.Join(conds, " OR ")+")", args...)
}

// between adds that a time is from, and before to, where these are given.
func (w *where) between(col string, from, to time.Time) {
	if !from.IsZero() {
		w.add(col+" >= ?", micros(from))
	}
	if !to.IsZero() {
		w.add(col+" < ?", micros(to))
	}
}

func (w *where) sql() string {
	if len(w.parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.parts, " AND ")
}
