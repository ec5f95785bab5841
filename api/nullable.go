package api

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Nullable is a field of a change that can be left out, null or a value.
type Nullable[T any] struct {
	Sent  bool // the field stood in the body
	Value *T   // nil for null
}

// UnmarshalJSON implements json.Unmarshaler. It runs only for a field that was sent.
func (n *Nullable[T]) UnmarshalJSON(b []byte) error {
	n.Sent = true
	if bytes.Equal(b, []byte("null")) {
		n.Value = nil
		return nil
	}
	n.Value = new(T)
	return json.Unmarshal(b, n.Value)
}

// MarshalJSON implements json.Marshaler.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.Value) }

// IsZero makes omitzero leave the field out.
func (n Nullable[T]) IsZero() bool { return !n.Sent }

// Schema implements huma.SchemaProvider.
func (Nullable[T]) Schema(r huma.Registry) *huma.Schema {
	s := *huma.SchemaFromType(r, reflect.TypeFor[T]())
	s.Nullable = true
	return &s
}
