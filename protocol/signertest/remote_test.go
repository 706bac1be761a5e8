package signertest_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/signer"
)

// remote is a signer in the shape of NIP-46: strings of JSON go to a far key and
// come back, in any order. All that is left out is the encryption between the
// two.
type remote struct {
	requests chan string
	gone     chan struct{} // closed by disconnect
	leave    func()
	nextID   atomic.Int64

	mu      sync.Mutex
	waiting map[string]chan response
}

type request struct {
	ID     string   `json:"id"`
	Method string   `json:"method"`
	Params []string `json:"params"`
}

type response struct {
	ID     string `json:"id"`
	Result string `json:"result"`
	Error  string `json:"error,omitempty"`
}

var errDisconnected = errors.New("remote: disconnected")

// connect starts the far side, which answers every request after the latency.
func connect(t testing.TB, key signer.Keyer, latency time.Duration) *remote {
	r := &remote{requests: make(chan string), gone: make(chan struct{}), waiting: make(map[string]chan response)}
	r.leave = sync.OnceFunc(func() { close(r.gone) })
	t.Cleanup(r.disconnect)
	responses := make(chan string)
	go func() {
		for {
			select {
			case req := <-r.requests:
				go func() {
					time.Sleep(latency)
					select {
					case responses <- serve(key, req):
					case <-r.gone:
					}
				}()
			case <-r.gone:
				return
			}
		}
	}()
	go func() {
		for {
			select {
			case s := <-responses:
				r.deliver(s)
			case <-r.gone:
				return
			}
		}
	}()
	return r
}

func (r *remote) disconnect() { r.leave() }

// serve is the far side.
func serve(key signer.Keyer, s string) string {
	var req request
	if err := json.Unmarshal([]byte(s), &req); err != nil {
		panic(err)
	}
	result, err := answer(key, &req)
	resp := response{ID: req.ID, Result: result}
	if err != nil {
		resp.Error = err.Error()
	}
	b, err := json.Marshal(resp)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func answer(key signer.Keyer, req *request) (string, error) {
	ctx := context.Background()
	switch req.Method {
	case "get_public_key":
		pub, err := key.GetPublicKey(ctx)
		return pub.String(), err
	case "sign_event":
		e, _, err := event.ParseUnsigned([]byte(req.Params[0]))
		if err != nil {
			return "", err
		}
		if err := key.SignEvent(ctx, e); err != nil {
			return "", err
		}
		return string(e.AppendJSON(nil)), nil
	}
	var peer keys.PublicKey
	if err := peer.UnmarshalText([]byte(req.Params[0])); err != nil {
		return "", err
	}
	f := key.Encrypt
	if req.Method == "nip44_decrypt" {
		f = key.Decrypt
	}
	data, err := f(ctx, []byte(req.Params[1]), peer)
	if err == nil && !utf8.Valid(data) {
		err = nip44.ErrUTF8
	}
	return string(data), err
}

func (r *remote) deliver(s string) {
	var resp response
	if err := json.Unmarshal([]byte(s), &resp); err != nil {
		panic(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.waiting[resp.ID]; c != nil {
		c <- resp
		delete(r.waiting, resp.ID)
	}
}

func (r *remote) call(ctx context.Context, method string, params ...string) (string, error) {
	id := strconv.FormatInt(r.nextID.Add(1), 10)
	b, err := json.Marshal(request{id, method, params})
	if err != nil {
		return "", err
	}
	c := make(chan response, 1)
	r.mu.Lock()
	r.waiting[id] = c
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.waiting, id)
	}()

	if err := ctx.Err(); err != nil {
		return "", err
	}
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case <-r.gone:
		return "", errDisconnected
	case r.requests <- string(b):
	}
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case <-r.gone:
		return "", errDisconnected
	case resp := <-c:
		return resp.Result, remoteError(resp.Error)
	}
}

// remoteError finds the cause again in the text of an error, which is all that
// comes over the wire.
func remoteError(text string) error {
	if text == "" {
		return nil
	}
	for _, cause := range []error{
		nip44.ErrVersion, nip44.ErrTooShort, nip44.ErrTooLarge, nip44.ErrBase64, nip44.ErrMAC, nip44.ErrPadding,
		nip44.ErrEmpty, nip44.ErrUTF8, nip44.ErrLegacyNIP04, keys.ErrPublicKey,
	} {
		if strings.HasPrefix(text, cause.Error()) {
			return cause
		}
	}
	return errors.New("remote: " + text)
}

func (r *remote) GetPublicKey(ctx context.Context) (pub keys.PublicKey, err error) {
	result, err := r.call(ctx, "get_public_key")
	if err != nil {
		return pub, err
	}
	return keys.ParsePublicKey(result)
}

func (r *remote) SignEvent(ctx context.Context, e *event.Event) error {
	if err := e.Validate(); err != nil {
		return err
	}
	// A template has no author; the caller's is compared.
	b, err := json.Marshal(struct {
		CreatedAt int64      `json:"created_at"`
		Kind      int        `json:"kind"`
		Tags      event.Tags `json:"tags"`
		Content   string     `json:"content"`
	}{e.CreatedAt, e.Kind, append(event.Tags{}, e.Tags...), e.Content})
	if err != nil {
		return err
	}
	result, err := r.call(ctx, "sign_event", string(b))
	if err != nil {
		return err
	}
	signed, err := event.Parse([]byte(result))
	if err != nil {
		return errors.New("remote: answer is no event")
	}
	if e.PubKey != (keys.PublicKey{}) && e.PubKey != signed.PubKey {
		return event.ErrWrongKey
	}
	e.PubKey, e.ID, e.Sig = signed.PubKey, signed.ID, signed.Sig
	return nil
}

func (r *remote) Encrypt(ctx context.Context, plaintext []byte, to keys.PublicKey) ([]byte, error) {
	return r.cipher(ctx, "nip44_encrypt", plaintext, to)
}

func (r *remote) Decrypt(ctx context.Context, payload []byte, from keys.PublicKey) ([]byte, error) {
	return r.cipher(ctx, "nip44_decrypt", payload, from)
}

func (r *remote) cipher(ctx context.Context, method string, data []byte, peer keys.PublicKey) ([]byte, error) {
	if !utf8.Valid(data) {
		return nil, nip44.ErrUTF8 // JSON would carry other bytes
	}
	result, err := r.call(ctx, method, peer.String(), string(data))
	if err != nil {
		return nil, err
	}
	return []byte(result), nil
}
