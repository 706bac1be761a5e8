package interop

import (
	"errors"
	"os"
	"strings"

	"github.com/mailru/easyjson"
	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip44"
	"github.com/nbd-wtf/go-nostr/nip59"
)

// goNostr is the peer that needs no process.
type goNostr struct{}

// version reads go.mod, which holds the version that is built: a test binary
// does not know its modules.
func (goNostr) version() (string, error) {
	text, err := os.ReadFile("../go.mod")
	if err != nil {
		return "", err
	}
	_, rest, _ := strings.Cut(string(text), "github.com/nbd-wtf/go-nostr ")
	if fields := strings.Fields(rest); len(fields) > 0 {
		return fields[0], nil
	}
	return "", errors.New("interop: go.mod does not name go-nostr")
}

func (goNostr) encrypt(secret, to, text string) (string, error) {
	key, err := nip44.GenerateConversationKey(to, secret)
	if err != nil {
		return "", err
	}
	return nip44.Encrypt(text, key)
}

func (goNostr) decrypt(secret, from, payload string) (string, error) {
	key, err := nip44.GenerateConversationKey(from, secret)
	if err != nil {
		return "", err
	}
	return nip44.Decrypt(payload, key)
}

func (p goNostr) wrap(secret, to, rumor string) (string, error) {
	var r nostr.Event
	if err := easyjson.Unmarshal([]byte(rumor), &r); err != nil {
		return "", err
	}
	r.ID = r.GetID()
	wrap, err := nip59.GiftWrap(r, to,
		func(text string) (string, error) { return p.encrypt(secret, to, text) },
		func(seal *nostr.Event) error { return seal.Sign(secret) },
		nil)
	return wrap.String(), err
}

func (p goNostr) unwrap(secret, wrap string) (string, error) {
	var w nostr.Event
	if err := easyjson.Unmarshal([]byte(wrap), &w); err != nil {
		return "", err
	}
	rumor, err := nip59.GiftUnwrap(w, func(from, payload string) (string, error) {
		return p.decrypt(secret, from, payload)
	})
	return rumor.String(), err
}

func (goNostr) sign(secret, event string) (string, error) {
	var e nostr.Event
	if err := easyjson.Unmarshal([]byte(event), &e); err != nil {
		return "", err
	}
	err := e.Sign(secret)
	return e.String(), err
}

func (goNostr) verify(event string) (string, error) {
	var e nostr.Event
	if err := easyjson.Unmarshal([]byte(event), &e); err != nil {
		return "", err
	}
	// CheckSignature never looks at the id.
	if !e.CheckID() {
		return "", errors.New("CheckID: false")
	}
	ok, err := e.CheckSignature()
	if err == nil && !ok {
		err = errors.New("CheckSignature: false")
	}
	return e.String(), err
}
