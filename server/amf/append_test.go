package amf

import (
	"encoding/hex"
	"strings"
	"testing"
)

func TestAppend(t *testing.T) {
	for _, c := range wireCases() {
		t.Run(c.name, func(t *testing.T) {
			got := Append([]byte("head"), c.values...)
			if want := "head" + string(bytesOf(t, c.wire)); string(got) != want {
				t.Errorf("got  %s\nwant %s", hex.EncodeToString(got), hex.EncodeToString([]byte(want)))
			}
		})
	}
}

func TestAppendOutsideOfTheSet(t *testing.T) {
	if got := hex.EncodeToString(Append(nil, 31, struct{}{})); got != "00403f000000000000"+"0d" {
		t.Errorf("got %s", got)
	}
	long := Append(nil, Object{{strings.Repeat("k", 70000), true}})
	values, err := Decode(long, roomy())
	if err != nil {
		t.Fatal(err)
	}
	if o, ok := values[0].(Object); !ok || len(o) != 1 || len(o[0].Key) != 65535 {
		t.Errorf("a long name is not cut")
	}
}
