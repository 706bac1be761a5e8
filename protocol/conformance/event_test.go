package conformance

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
)

func TestEvents(t *testing.T) {
	var file struct {
		Valid []struct {
			Why, JSON, ID string
			Compact       bool
			Preimage      *string
		}
		Refused   []struct{ Why, JSON, Error string }
		Malformed []struct{ Why, JSON string }
	}
	testkit.Testdata(t, "protocol/testdata/event.json", &file)

	var all []*event.Event
	var want []error

	valid, compact, preimages := 0, 0, 0
	for _, c := range file.Valid {
		e, err := event.Parse([]byte(c.JSON))
		if err != nil {
			t.Errorf("Parse, %s: %v", c.Why, err)
			continue
		}
		checkEvent(t, e, decodeEvent(t, c.JSON))
		if got := e.ComputeID(); got.String() != c.ID {
			t.Errorf("ComputeID, %s: %v, want %s", c.Why, got, c.ID)
		}
		if c.Preimage != nil {
			if sum := sha256.Sum256([]byte(*c.Preimage)); event.ID(sum) != e.ComputeID() {
				t.Errorf("ComputeID, %s: not the hash of the preimage", c.Why)
			}
			preimages++
		}
		if err := e.Verify(); err != nil {
			t.Errorf("Verify, %s: %v", c.Why, err)
		}
		text := e.AppendJSON(nil)
		if c.Compact {
			if string(text) != c.JSON {
				t.Errorf("AppendJSON, %s:\n%s, want\n%s", c.Why, text, c.JSON)
			}
			compact++
		}
		again, err := event.Parse(text)
		if err != nil || !reflect.DeepEqual(again, e) {
			t.Errorf("%s: the event does not survive AppendJSON and Parse: %v", c.Why, err)
		}
		standard, err := json.Marshal(e)
		if err != nil {
			t.Errorf("json.Marshal, %s: %v", c.Why, err)
		}
		again = new(event.Event)
		if err := json.Unmarshal(standard, again); err != nil || !reflect.DeepEqual(again, e) {
			t.Errorf("%s: the event does not survive encoding/json: %v", c.Why, err)
		}
		all, want = append(all, e), append(want, nil)
		valid++
	}
	ran(t, "valid events", valid, 127)
	ran(t, "compact texts", compact, 119)
	ran(t, "preimages", preimages, 125)

	causes := map[string]error{"id": event.ErrID, "signature": event.ErrSignature, "public_key": keys.ErrPublicKey}
	refused := 0
	for _, c := range file.Refused {
		e, err := event.Parse([]byte(c.JSON))
		if err != nil {
			t.Errorf("Parse, %s: %v", c.Why, err)
			continue
		}
		if err := e.Verify(); !errors.Is(err, causes[c.Error]) || err == nil {
			t.Errorf("Verify, %s: %v, want %v", c.Why, err, causes[c.Error])
		}
		all, want = append(all, e), append(want, causes[c.Error])
		refused++
	}
	ran(t, "refused events", refused, 19)

	for i, err := range event.VerifyAll(context.Background(), all, nil) {
		if !errors.Is(err, want[i]) {
			t.Errorf("VerifyAll, event %d: %v, want %v", i, err, want[i])
		}
	}

	malformed := 0
	for _, c := range file.Malformed {
		e, err := event.Parse([]byte(c.JSON))
		var parse *event.ParseError
		if !errors.As(err, &parse) || e != nil {
			t.Errorf("Parse, %s: event %v, error %v", c.Why, e, err)
		} else if parse.Offset < 0 || parse.Offset > len(c.JSON) {
			t.Errorf("Parse, %s: offset %d of %d", c.Why, parse.Offset, len(c.JSON))
		}
		malformed++
	}
	ran(t, "malformed texts", malformed, 60)
}
