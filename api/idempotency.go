package api

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/penstock-media/penstock/api/auth"
	"github.com/penstock-media/penstock/api/store"
)

// The form of an Idempotency-Key and how long its reply is kept.
const (
	minIdempotencyKey = 16
	maxIdempotencyKey = 255
	idempotencyLife   = 24 * time.Hour
)

// humaContext lets recorder embed a huma.Context, which has a method of that name.
type humaContext huma.Context

// recorder is a huma.Context whose body has been read already and whose reply
// is held back.
type recorder struct {
	humaContext

	body   []byte
	status int
	header http.Header
	reply  bytes.Buffer
}

func (r *recorder) Unwrap() huma.Context         { return r.humaContext }
func (r *recorder) BodyReader() io.Reader        { return bytes.NewReader(r.body) }
func (r *recorder) BodyWriter() io.Writer        { return &r.reply }
func (r *recorder) SetStatus(code int)           { r.status = code }
func (r *recorder) Status() int                  { return r.status }
func (r *recorder) SetHeader(name, value string) { r.header.Set(name, value) }
func (r *recorder) AppendHeader(name, v string)  { r.header.Add(name, v) }

// reply is a reply as it is kept.
type reply struct {
	Header http.Header `json:"h"`
	Body   []byte      `json:"b"`
}

// idempotent makes a creating POST that is sent twice create once. Requests and
// replies can hold secrets: of the request a keyed hash is kept, which tells
// nobody whether a guess at a password is right, and the reply is encrypted, both
// under the caller's own key, of which the database has the hash only.
func (a *API) idempotent(ctx huma.Context, next func(huma.Context)) {
	key := ctx.Header("Idempotency-Key")
	if key == "" || !flag(ctx.Operation(), metaIdempotent) {
		next(ctx)
		return
	}
	if len(key) < minIdempotencyKey || len(key) > maxIdempotencyKey {
		a.refuse(ctx, invalid("header/Idempotency-Key", "16 to 255 characters; a UUID is a good one"))
		return
	}
	body, err := io.ReadAll(ctx.BodyReader())
	if err != nil {
		if big, ok := errors.AsType[*http.MaxBytesError](err); ok {
			a.refuse(ctx, newProblem("body_too_large", "The body has more than %d bytes.", big.Limit))
			return
		}
		a.refuse(ctx, newProblem("bad_request", "The body could not be read."))
		return
	}
	q := idempotencyOf(ctx, key, body)
	kept, err := a.claim(ctx.Context(), q)
	if err != nil {
		p, ok := errors.AsType[*Problem](problemOf(err, "reply"))
		if !ok {
			a.log.Error("api: claim an idempotency key", "request", requestID(ctx.Context()), "err", err)
			p = newProblem("internal", "The Idempotency-Key could not be looked up.")
		}
		a.refuse(ctx, p)
		return
	}
	rec := &recorder{humaContext: ctx, body: body, header: http.Header{}}
	if kept != nil {
		rec.status, rec.header = kept.status, kept.reply.Header
		rec.header.Set("Idempotency-Replayed", "true")
		rec.reply.Write(kept.reply.Body)
		rec.send()
		return
	}
	finished := false
	defer func() {
		if !finished {
			a.release(ctx.Context(), q)
		}
	}()
	next(rec)
	if rec.status >= 200 && rec.status < 300 {
		finished = a.keep(ctx.Context(), q, rec)
	}
	rec.send()
}

// send lets the reply go.
func (r *recorder) send() {
	for k, vs := range r.header {
		for _, v := range vs {
			r.humaContext.AppendHeader(k, v)
		}
	}
	r.humaContext.SetStatus(r.status)
	_, _ = r.humaContext.BodyWriter().Write(r.reply.Bytes()) // the client may be gone
}

// question is one use of an Idempotency-Key.
type question struct {
	scope string // whose key, and of which operation
	key   string // its hash
	body  string // the keyed hash of the request
	seal  cipher.AEAD
}

func idempotencyOf(ctx huma.Context, key string, body []byte) question {
	caller := "nobody"
	if p := auth.From(ctx.Context()); p != nil {
		caller = p.ID
	}
	u := ctx.URL()
	sum := hmac.New(sha256.New, derived(key, caller, "penstock idempotent request"))
	sum.Write([]byte(ctx.Method() + " " + u.Path + "\n"))
	sum.Write(body)
	hash := sha256.Sum256([]byte(key))
	return question{
		scope: caller, key: hex.EncodeToString(hash[:]), body: hex.EncodeToString(sum.Sum(nil)),
		seal: sealer(derived(key, caller, "penstock idempotent reply")),
	}
}

// derived makes a key for one purpose of a caller's.
func derived(key, caller, purpose string) []byte {
	const keyBytes = 32
	k, err := hkdf.Key(sha256.New, []byte(key), []byte(caller), purpose, keyBytes)
	if err != nil {
		panic(fmt.Sprintf("api: derive a key: %v", err)) // only for impossible lengths
	}
	return k
}

// sealer encrypts replies.
func sealer(key []byte) cipher.AEAD {
	block, err := aes.NewCipher(key)
	if err != nil {
		panic(fmt.Sprintf("api: make a cipher: %v", err)) // only for impossible lengths
	}
	seal, err := cipher.NewGCM(block)
	if err != nil {
		panic(fmt.Sprintf("api: make a cipher: %v", err)) // only for impossible lengths
	}
	return seal
}

// lock encrypts a reply.
func (q question) lock(r reply) ([]byte, error) {
	plain, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("keep a reply: %w", err)
	}
	nonce := make([]byte, q.seal.NonceSize())
	_, _ = rand.Read(nonce) // never fails
	return q.seal.Seal(nonce, nonce, plain, []byte(q.body)), nil
}

// unlock decrypts a reply.
func (q question) unlock(b []byte) (reply, error) {
	var r reply
	if len(b) < q.seal.NonceSize() {
		return r, errors.New("a kept reply is too short")
	}
	n := q.seal.NonceSize()
	plain, err := q.seal.Open(nil, b[:n], b[n:], []byte(q.body))
	if err != nil {
		return r, fmt.Errorf("read a kept reply: %w", err)
	}
	return r, json.Unmarshal(plain, &r)
}

// kept is a reply of an earlier request.
type kept struct {
	status int
	reply  reply
}

// claim takes the key for this request, or returns the reply to the one before.
func (a *API) claim(ctx context.Context, q question) (*kept, error) {
	r, began, err := a.store.BeginIdempotent(ctx, store.IdempotencyRecord{
		Scope: q.scope, Key: q.key, RequestHash: q.body, ExpiresAt: time.Now().Add(idempotencyLife),
	})
	switch {
	case err != nil:
		return nil, err
	case began:
		return nil, nil //nolint:nilnil // there is no reply yet, and no mistake
	case r.RequestHash != q.body:
		return nil, newProblem("idempotency_key_reused", "This Idempotency-Key came with another request before.")
	case r.State != store.IdempotencyDone:
		return nil, newProblem("idempotency_in_progress", "The first request with this Idempotency-Key has not finished.").with("Retry-After", "1")
	}
	sealed, err := base64.RawStdEncoding.DecodeString(r.Response)
	if err != nil {
		return nil, fmt.Errorf("read a kept reply: %w", err)
	}
	body, err := q.unlock(sealed)
	if err != nil {
		return nil, err
	}
	return &kept{status: r.Status, reply: body}, nil
}

// keep keeps the reply for those who ask again, and says whether it could.
func (a *API) keep(ctx context.Context, q question, rec *recorder) bool {
	sealed, err := q.lock(reply{Header: rec.header, Body: rec.reply.Bytes()})
	if err == nil {
		err = a.store.FinishIdempotent(context.WithoutCancel(ctx), q.scope, q.key, rec.status, base64.RawStdEncoding.EncodeToString(sealed))
	}
	if err != nil {
		a.log.Warn("api: keep an idempotent reply", "request", requestID(ctx), "err", err)
	}
	return err == nil
}

// release lets the request be sent again: it made nothing.
func (a *API) release(ctx context.Context, q question) {
	if err := a.store.AbandonIdempotent(context.WithoutCancel(ctx), q.scope, q.key); err != nil {
		a.log.Warn("api: give an idempotency key back", "request", requestID(ctx), "err", err)
	}
}
