package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/penstock-media/penstock/api/store"
)

// print writes what a command was asked for to standard output.
func (c *command) print(format string, args ...any) error {
	_, err := fmt.Fprintf(c.stdout, format, args...)
	return err
}

// columns is a table on standard output.
type columns struct{ w *tabwriter.Writer }

// table begins a table with a head.
func (c *command) table(head ...string) columns {
	t := columns{tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)}
	t.row(head...)
	return t
}

// row adds a row. Cells may be text that somebody else chose.
func (t columns) row(cells ...string) {
	for i, cell := range cells {
		cells[i] = plain(cell)
	}
	_, _ = fmt.Fprintln(t.w, strings.Join(cells, "\t"))
}

// flush writes the table, and returns the first error of writing it.
func (t columns) flush() error { return t.w.Flush() }

// every calls f for each row of a list, page by page.
func every[T any](list func(store.ListOptions) (store.List[T], error), f func(T)) error {
	const page = 200
	options := store.ListOptions{Limit: page}
	for {
		l, err := list(options)
		if err != nil {
			return err
		}
		for _, item := range l.Items {
			f(item)
		}
		if l.Next == "" {
			return nil
		}
		options.Cursor = l.Next
	}
}
