package store

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Fields of rows are read and written through the same list of pointers. Plain
// ones (*string, *int, *bool …) go as they are; the types below say how the
// others are kept, the same way in both databases.
type column interface {
	sql.Scanner
	driver.Valuer
}

// stamp keeps a time as microseconds since 1970 in UTC, 0 for the zero time.
type stamp struct{ t *time.Time }

func (s stamp) Scan(src any) error {
	n, ok := src.(int64)
	if !ok {
		return fmt.Errorf("a time is kept as %T, not as a number", src)
	}
	*s.t = fromMicros(n)
	return nil
}

func (s stamp) Value() (driver.Value, error) { return micros(*s.t), nil }

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func fromMicros(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// jsonText keeps whatever v points to as JSON.
type jsonText struct{ v any }

func (j jsonText) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("JSON is kept as %T, not as text", src)
	}
	if err := json.Unmarshal([]byte(text), j.v); err != nil {
		return fmt.Errorf("read JSON: %w", err)
	}
	return nil
}

func (j jsonText) Value() (driver.Value, error) {
	b, err := json.Marshal(j.v)
	if err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return string(b), nil
}

// rawText keeps JSON that is made already, "" for none.
type rawText struct{ v *json.RawMessage }

func (r rawText) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("JSON is kept as %T, not as text", src)
	}
	*r.v = nil
	if text != "" {
		*r.v = json.RawMessage(text)
	}
	return nil
}

func (r rawText) Value() (driver.Value, error) { return string(*r.v), nil }

// orNull keeps "" as NULL.
type orNull struct{ s *string }

func (o orNull) Scan(src any) error {
	var n sql.NullString
	if err := n.Scan(src); err != nil {
		return fmt.Errorf("read text: %w", err)
	}
	*o.s = n.String
	return nil
}

func (o orNull) Value() (driver.Value, error) {
	if *o.s == "" {
		return nil, nil //nolint:nilnil // this is NULL
	}
	return *o.s, nil
}

// values turns fields into what the drivers take.
func values(fields []any) ([]any, error) {
	out := make([]any, len(fields))
	for i, f := range fields {
		v, err := value(f)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func value(f any) (any, error) {
	switch f := f.(type) {
	case *string:
		return storable(*f), nil
	case *bool:
		return *f, nil
	case *int:
		return int64(*f), nil
	case *int64:
		return *f, nil
	case *uint64:
		return int64(min(*f, 1<<63-1)), nil
	case column:
		v, err := f.Value()
		if err != nil {
			return nil, err //nolint:wrapcheck // says it already
		}
		if s, ok := v.(string); ok {
			return storable(s), nil
		}
		return v, nil
	default:
		return nil, fmt.Errorf("store: no way to keep a %T", f)
	}
}

// storable makes text that both databases keep: PostgreSQL takes neither a zero
// byte nor what is not UTF-8. All other text is kept as it is.
func storable(s string) string {
	const replacement = "\uFFFD"
	return strings.ReplaceAll(strings.ToValidUTF8(s, replacement), "\x00", replacement)
}
