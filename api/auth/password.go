package auth

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/alexedwards/argon2id"
)

// MinPassword is how many characters a password has at least.
const MinPassword = 12

// The cost of one password: OWASP's second choice, which needs little memory, so
// that logins never press on the media.
const (
	hashMemoryKiB  = 19 * 1024
	hashIterations = 2
	hashesAtOnce   = 2
	hashPatience   = time.Second
)

// ErrBusy says that too many passwords are being checked now. Try again in a moment.
var ErrBusy = errors.New("too many passwords are being checked at once")

// hasher makes and checks argon2id hashes, two at once. Others wait a second.
type hasher struct {
	slots chan struct{}
	// nobody is the hash that a name without a user is checked against, so that
	// it takes as long as one with a user.
	nobody func() (string, error)
}

func newHasher() *hasher {
	return &hasher{
		slots:  make(chan struct{}, hashesAtOnce),
		nobody: sync.OnceValues(func() (string, error) { return HashPassword("nobody has this password") }),
	}
}

func params() *argon2id.Params {
	return &argon2id.Params{
		Memory: hashMemoryKiB, Iterations: hashIterations, Parallelism: 1, SaltLength: 16, KeyLength: 32,
	}
}

// acquire takes a slot; the function it returns gives it back.
func (h *hasher) acquire(ctx context.Context) (func(), error) {
	patience := time.NewTimer(hashPatience)
	defer patience.Stop()
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots }, nil
	case <-patience.C:
		return nil, ErrBusy
	case <-ctx.Done():
		return nil, fmt.Errorf("auth: wait to check a password: %w", ctx.Err())
	}
}

// hash makes the hash to keep of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	release, err := h.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	return HashPassword(password)
}

// matches says whether password is the one kept as hash. An empty hash matches
// nothing, in the same time.
func (h *hasher) matches(ctx context.Context, password, hash string) (bool, error) {
	release, err := h.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer release()
	known := hash != ""
	if !known {
		if hash, err = h.nobody(); err != nil {
			return false, err
		}
	}
	ok, err := argon2id.ComparePasswordAndHash(password, hash)
	if err != nil {
		return false, fmt.Errorf("auth: check a password: %w", err)
	}
	return ok && known, nil
}

// HashPassword makes the hash to keep of a password. It waits for nobody: for
// the command line, where only one runs.
func HashPassword(password string) (string, error) {
	hash, err := argon2id.CreateHash(password, params())
	if err != nil {
		return "", fmt.Errorf("auth: hash a password: %w", err)
	}
	return hash, nil
}
