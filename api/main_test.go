package api_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/penstock-media/penstock/api/store/storetest"
)

func TestMain(m *testing.M) {
	// The database of each test is closed with it; its pool ends a moment later.
	goleak.VerifyTestMain(both{m}, goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"))
}

// both runs every test on SQLite, and once more on PostgreSQL when there is one.
type both struct{ m *testing.M }

// Run implements goleak.TestingM.
func (b both) Run() int {
	code := b.m.Run()
	if os.Getenv(storetest.Env) != "" {
		database = storetest.Postgres
		code = max(code, b.m.Run())
	}
	return code
}
