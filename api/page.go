package api

import (
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/penstock-media/penstock/api/store"
)

// List is one page of a list.
type List[T any] struct {
	Items      []T    `json:"items" doc:"This page's items"`
	NextCursor string `json:"next_cursor,omitempty" doc:"Pass it as cursor for the next page; absent on the last one"`
	Total      *int64 `json:"total,omitempty" doc:"How many items match in all; only with count=true"`
}

// listOutput is the reply to a list.
type listOutput[T any] struct {
	Body List[T]
}

// PageQuery is the parameters every list takes.
type PageQuery struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50" doc:"How many items a page has at most"`
	Cursor string `query:"cursor" maxLength:"2048" doc:"next_cursor of the page before"`
}

// CountQuery asks for a total.
type CountQuery struct {
	Count bool `query:"count" doc:"Also say how many items match in all"`
}

// encodeCursor makes an opaque cursor of a list's own position.
func encodeCursor(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// decodeCursor reads what encodeCursor wrote. An empty cursor leaves v alone.
func decodeCursor(s string, v any) error {
	if s == "" {
		return nil
	}
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err == nil {
		dec := json.NewDecoder(strings.NewReader(string(b)))
		dec.DisallowUnknownFields()
		err = dec.Decode(v)
	}
	if err != nil {
		return invalid("query/cursor", "not a cursor of this list; pass next_cursor unchanged, or leave it out to begin again")
	}
	return nil
}

// keyset cuts a page out of sorted items: those whose key is greater than
// after, limit at most. It returns the next cursor's key, or "".
func keyset[T any](items []T, key func(T) string, after string, limit int) ([]T, string) {
	page := make([]T, 0, min(limit, len(items)))
	for _, it := range items {
		if after != "" && key(it) <= after {
			continue
		}
		if len(page) == limit {
			return page, key(page[limit-1])
		}
		page = append(page, it)
	}
	return page, ""
}

// pageOf makes a reply of a page of rows.
func pageOf[R, T any](l store.List[R], count bool, convert func(R) T) *listOutput[T] {
	out := &listOutput[T]{Body: List[T]{Items: make([]T, 0, len(l.Items)), NextCursor: l.Next}}
	for _, r := range l.Items {
		out.Body.Items = append(out.Body.Items, convert(r))
	}
	if count {
		out.Body.Total = &l.Total
	}
	return out
}
