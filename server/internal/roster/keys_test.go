package roster

import "testing"

// what may be a key is hidden wherever a peer puts it, and nothing else is.
func TestWithoutKeys(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"live/show":                     "live/show",
		"sk_abc":                        "***",
		"live/sk_abc/x":                 "live/***/x",
		"http://u:sk_a-b_c@h/sk_d?x":    "http://u:***@h/***?x",
		"desk_one/task_2":               "desk_one/task_2",
		"sk_":                           "***",
		"show?key=sk_abc&key=sk_def,x":  "show?key=***&key=***,x",
		"desk_one sk_abc":               "desk_one ***",
		"//sk_abc//":                    "//***//",
		"FMLE/3.0 (sk_abc; compatible)": "FMLE/3.0 (***; compatible)",
	} {
		if got := WithoutKeys(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
