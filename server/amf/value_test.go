package amf

import (
	"fmt"
	"testing"
)

func TestGet(t *testing.T) {
	ps := []Property{{"TCURL", "first"}, {"tcUrl", "exact"}, {"null", nil}}
	for _, get := range []func(string) Value{Object(ps).Get, ECMAArray(ps).Get, TypedObject{"c", ps}.Get} {
		if v := get("tcUrl"); v != "exact" {
			t.Errorf("exact: %v", v)
		}
		if v := get("tcurl"); v != "first" {
			t.Errorf("without regard to case: %v", v)
		}
		if v := get("null"); v != nil {
			t.Errorf("null: %v", v)
		}
		if v := get("app"); v != nil {
			t.Errorf("absent: %v", v)
		}
	}
}

func TestProperties(t *testing.T) {
	ps := []Property{{"a", true}}
	for _, v := range []Value{Object(ps), ECMAArray(ps), TypedObject{"c", ps}} {
		if got, ok := Properties(v); !ok || len(got) != 1 {
			t.Errorf("%T: %v, %v", v, got, ok)
		}
	}
	for _, v := range []Value{nil, Undefined{}, "s", 1.0, StrictArray{true}} {
		if _, ok := Properties(v); ok {
			t.Errorf("%T has properties", v)
		}
	}
}

func TestStringNumber(t *testing.T) {
	if s, ok := String("a"); s != "a" || !ok {
		t.Error("a string is one")
	}
	if _, ok := String(1.0); ok {
		t.Error("a number is no string")
	}
	if n, ok := Number(1.5); n != 1.5 || !ok {
		t.Error("a number is one")
	}
	if _, ok := Number("1.5"); ok {
		t.Error("a string is no number")
	}
}

func ExampleDecode() {
	message := Append(nil, "connect", 1.0, Object{{"app", "live"}})
	values, err := Decode(message, DefaultLimits())
	if err != nil {
		fmt.Println(err)
		return
	}
	if o, ok := values[2].(Object); ok {
		fmt.Println(values[0], o.Get("app"))
	}
	// Output: connect live
}
