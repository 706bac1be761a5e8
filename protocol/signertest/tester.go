package signertest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

// errPanicked stands for the error of a call that panicked, which is a fault
// noted already.
var errPanicked = errors.New("panicked")

// noLimit lets the peer read and write whatever the signer can.
var noLimit = nip44.Options{MaxPlaintext: nip44.MaxPlaintext}

// tester is one run of the suite.
type tester struct {
	ctx     context.Context
	subject interface {
		GetPublicKey(ctx context.Context) (keys.PublicKey, error)
	}
	signer signer.Signer // nil when only a cipher is tested
	cipher signer.Cipher // nil when only a signer is tested
	sk     *keys.SecretKey
	raw    []byte // of sk, or nil
	o      Options

	pub   keys.PublicKey
	check string // the one that runs

	mu     sync.Mutex
	faults []error
}

func newTester(ctx context.Context, subject interface {
	GetPublicKey(ctx context.Context) (keys.PublicKey, error)
}, s signer.Signer, c signer.Cipher, sk *keys.SecretKey, o *Options) *tester {
	t := &tester{ctx: ctx, subject: subject, signer: s, cipher: c, sk: sk}
	if sk != nil {
		t.raw = must(sk.Bytes())
	}
	if o != nil {
		t.o = *o
	}
	return t
}

type check struct {
	name string
	f    func(*tester)
}

func (t *tester) run() []error {
	t.do(check{"public key", (*tester).checkPublicKey})
	if t.faults != nil {
		return t.faults // no peer could talk with the key
	}
	var checks []check
	if t.signer != nil {
		checks = append(checks, signerChecks...)
	}
	if t.cipher != nil {
		checks = append(checks, cipherChecks...)
		if _, ok := t.cipher.(signer.BatchCipher); ok {
			checks = append(checks, batchChecks...)
		}
	}
	checks = append(checks, commonChecks...)
	for _, c := range checks {
		t.do(c)
	}
	return t.faults
}

func (t *tester) do(c check) {
	t.check = c.name
	defer func() {
		if v := recover(); v != nil {
			t.faultf("panic: %v", v)
		}
	}()
	c.f(t)
}

// faultf notes a fault; several goroutines may.
func (t *tester) faultf(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.faults = append(t.faults, fmt.Errorf("%s: %w", t.check, fmt.Errorf(format, args...)))
}

// The calls: every one of the suite goes through these.

func (t *tester) getPublicKey(ctx context.Context) (pub keys.PublicKey, err error) {
	defer t.recovers("GetPublicKey", &err)
	pub, err = t.subject.GetPublicKey(ctx)
	t.examine("GetPublicKey", err)
	return pub, err
}

func (t *tester) signEvent(ctx context.Context, e *event.Event) (err error) {
	defer t.recovers("SignEvent", &err)
	content := e.Content
	err = t.signer.SignEvent(ctx, e)
	t.examine("SignEvent", err, content)
	return err
}

func (t *tester) encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) (payload []byte, err error) {
	defer t.recovers("Encrypt", &err)
	before := string(plaintext)
	payload, err = t.cipher.Encrypt(ctx, plaintext, to)
	if string(plaintext) != before {
		t.faultf("Encrypt changed the plaintext it was given")
	}
	if err != nil && len(payload) > 0 {
		t.faultf("Encrypt returned a payload with the error %q", err)
	}
	t.examine("Encrypt", err, before)
	return payload, err
}

func (t *tester) decrypt(ctx context.Context, payload []byte, from keys.PublicKey) (plaintext []byte, err error) {
	defer t.recovers("Decrypt", &err)
	before := string(payload)
	plaintext, err = t.cipher.Decrypt(ctx, payload, from)
	if string(payload) != before {
		t.faultf("Decrypt changed the payload it was given")
	}
	if err != nil && len(plaintext) > 0 {
		t.faultf("Decrypt returned a plaintext with the error %q", err)
	}
	t.examine("Decrypt", err, before)
	return plaintext, err
}

func (t *tester) encryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	return t.all(ctx, "EncryptAll", t.cipher.(signer.BatchCipher).EncryptAll, items)
}

func (t *tester) decryptAll(ctx context.Context, items []signer.Sealed) []signer.Opened {
	return t.all(ctx, "DecryptAll", t.cipher.(signer.BatchCipher).DecryptAll, items)
}

// all returns one result for each item whatever f does.
func (t *tester) all(ctx context.Context, call string, f func(context.Context, []signer.Sealed) []signer.Opened, items []signer.Sealed) (results []signer.Opened) {
	var err error
	defer func() {
		if len(results) != len(items) {
			results = make([]signer.Opened, len(items))
			for i := range results {
				results[i].Err = errPanicked
			}
		}
	}()
	defer t.recovers(call, &err)
	before := make([]string, len(items))
	for i := range items {
		before[i] = string(items[i].Data)
	}
	given := append([]signer.Sealed(nil), items...)
	results = f(ctx, items)
	for i := range items {
		if string(given[i].Data) != before[i] || string(items[i].Data) != before[i] || items[i].Peer != given[i].Peer {
			t.faultf("%s changed item %d", call, i)
		}
	}
	if len(results) != len(items) {
		t.faultf("%s returned %d results for %d items", call, len(results), len(items))
		return results
	}
	for i, r := range results {
		if r.Err != nil && len(r.Data) > 0 {
			t.faultf("%s returned data with the error %q", call, r.Err)
		}
		t.examine(call, r.Err, before[i])
	}
	return results
}

// recovers makes a panic of a call a fault.
func (t *tester) recovers(call string, err *error) {
	if v := recover(); v != nil {
		t.faultf("%s panicked: %v", call, v)
		*err = errPanicked
	}
}

// examine looks in the text of an error for what it must not carry.
func (t *tester) examine(call string, err error, data ...string) {
	if err == nil {
		return
	}
	text := err.Error()
	if showsKey(text, t.raw) {
		t.faultf("an error of %s carries the secret key", call)
	}
	for _, d := range data {
		if showsData(text, d) {
			t.faultf("an error of %s carries the data it was given", call)
		}
	}
}
