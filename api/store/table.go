package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Meta is what every configured row has.
type Meta struct {
	ID        string    `json:"id"`
	Revision  int64     `json:"revision"` // 1 when made, +1 with each change
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// querier is a pool or a transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// table says how one kind of row is kept. The rest follows from it: every kind
// is read, listed, made, changed and removed by the methods below.
type table[T any] struct {
	name    string // of the table
	noun    string // in errors and audit rows
	prefix  string // of ids made for it
	taken   string // what the UNIQUE constraints mean
	columns []string
	fields  func(*T) []any // in the order of columns
	meta    func(*T) *Meta // nil for rows that are never changed and bring their own id column

	// computed columns are read but not written.
	computed       []string
	computedFields func(*T) []any

	usual string   // sort order when none is asked for
	sorts []string // columns to sort by
}

func (t table[T]) stored() []string {
	if t.meta == nil {
		return t.columns
	}
	return append([]string{"id", "revision", "created_at", "updated_at"}, t.columns...)
}

func (t table[T]) storedFields(v *T) []any {
	if t.meta == nil {
		return t.fields(v)
	}
	m := t.meta(v)
	return append([]any{&m.ID, &m.Revision, stamp{&m.CreatedAt}, stamp{&m.UpdatedAt}}, t.fields(v)...)
}

func (t table[T]) selection() string {
	return "SELECT " + strings.Join(append(t.stored(), t.computed...), ", ") + " FROM " + t.name
}

func (t table[T]) scan(row interface{ Scan(dst ...any) error }) (T, error) {
	var v T
	dst := t.storedFields(&v)
	if t.computed != nil {
		dst = append(dst, t.computedFields(&v)...)
	}
	if err := row.Scan(dst...); err != nil {
		return v, err //nolint:wrapcheck // the callers say what they read
	}
	return v, nil
}

// find returns the one row the conditions choose.
func (t table[T]) find(ctx context.Context, s *Store, q querier, w where) (T, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	v, err := t.scan(q.QueryRowContext(ctx, t.selection()+w.sql(), w.args...))
	if errors.Is(err, sql.ErrNoRows) {
		return v, fmt.Errorf("%s %w", t.noun, ErrNotFound)
	}
	return v, s.wrap("read "+t.noun, err)
}

func (t table[T]) get(ctx context.Context, s *Store, q querier, id string) (T, error) {
	var w where
	w.add("id = ?", storable(id))
	return t.find(ctx, s, q, w)
}

// all returns every row the conditions choose, in the usual order.
func (t table[T]) all(ctx context.Context, s *Store, q querier, w where) ([]T, error) {
	order, err := parseSort("", t.usual, t.sorts)
	if err != nil {
		return nil, err
	}
	return t.rows(ctx, s, q, t.selection()+w.sql()+order.orderBy(), w.args)
}

func (t table[T]) rows(ctx context.Context, s *Store, q querier, query string, args []any) ([]T, error) {
	ctx, cancel := s.bound(ctx)
	defer cancel()
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.wrap("list "+t.name, err)
	}
	defer rows.Close()
	items := []T{}
	for rows.Next() {
		v, err := t.scan(rows)
		if err != nil {
			return nil, s.wrap("read "+t.noun, err)
		}
		items = append(items, v)
	}
	return items, s.wrap("list "+t.name, rows.Err())
}

// list returns one page of the rows the conditions choose.
func (t table[T]) list(ctx context.Context, s *Store, w where, o ListOptions) (List[T], error) {
	var out List[T]
	order, err := parseSort(o.Sort, t.usual, t.sorts)
	if err != nil {
		return out, err
	}
	if o.Count {
		if out.Total, err = s.number(ctx, s.read, "SELECT count(*) FROM "+t.name+w.sql(), w.args...); err != nil {
			return out, err
		}
	}
	if o.Cursor != "" {
		key, id, err := s.position(o.Cursor, t.name, order)
		if err != nil {
			return out, err
		}
		than := ">"
		if order.desc {
			than = "<"
		}
		w.add("("+order.col+", id) "+than+" (?, ?)", key, id)
	}
	limit := o.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	limit = min(limit, maxLimit)
	query := t.selection() + w.sql() + order.orderBy() + " LIMIT " + strconv.Itoa(limit+1)
	if out.Items, err = t.rows(ctx, s, s.read, query, w.args); err != nil {
		return out, err
	}
	if len(out.Items) <= limit {
		return out, nil
	}
	out.Items = out.Items[:limit]
	out.Next, err = t.cursorAt(s, &out.Items[limit-1], order)
	return out, err
}

// cursorAt makes the cursor of the page that follows a row.
func (t table[T]) cursorAt(s *Store, v *T, order sorting) (string, error) {
	p := position{Table: t.name, Sort: order.name}
	fields := t.storedFields(v)
	for i, c := range t.stored() {
		if c != order.col && c != "id" {
			continue
		}
		val, err := value(fields[i])
		if err != nil {
			return "", err
		}
		if c == "id" {
			p.ID = fmt.Sprint(val)
		}
		if c == order.col {
			if p.Key, err = json.Marshal(val); err != nil {
				return "", fmt.Errorf("make cursor: %w", err)
			}
		}
	}
	return s.cursor(p)
}

// insert writes a new row as it is.
func (t table[T]) insert(ctx context.Context, s *Store, q querier, v *T) error {
	args, err := values(t.storedFields(v))
	if err != nil {
		return err
	}
	cols := t.stored()
	marks := make([]string, len(cols))
	for i := range cols {
		marks[i] = "$" + strconv.Itoa(i+1)
	}
	ctx, cancel := s.bound(ctx)
	defer cancel()
	_, err = q.ExecContext(ctx, "INSERT INTO "+t.name+" ("+strings.Join(cols, ", ")+") VALUES ("+strings.Join(marks, ", ")+")", args...)
	return t.broken(s, "create", err)
}

// overwrite writes all columns of a row that exists.
func (t table[T]) overwrite(ctx context.Context, s *Store, q querier, v *T) error {
	args, err := values(t.storedFields(v))
	if err != nil {
		return err
	}
	sets := make([]string, 0, len(args))
	for i, c := range t.stored() {
		if i > 0 { // the first is the id
			sets = append(sets, c+" = $"+strconv.Itoa(i+1))
		}
	}
	ctx, cancel := s.bound(ctx)
	defer cancel()
	_, err = q.ExecContext(ctx, "UPDATE "+t.name+" SET "+strings.Join(sets, ", ")+" WHERE id = $1", args...)
	return t.broken(s, "update", err)
}

// broken says what a broken constraint means for this kind of row.
func (t table[T]) broken(s *Store, verb string, err error) error {
	err = s.wrap(verb+" "+t.noun, err)
	if errors.Is(err, ErrConflict) && t.taken != "" {
		return fmt.Errorf("%s %s: %w: %s", verb, t.noun, ErrConflict, t.taken)
	}
	return err
}
