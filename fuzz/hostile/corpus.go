package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/keys"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// An Answer is what the documentation has a reader say to an input.
type Answer struct {
	Opens bool        // the input is odd, and good all the same
	Layer nip59.Layer // that fails
	All   []error     // the error is each of these
	Any   []error     // and one of these, when there are any
	Class nip59.Class
}

func opens() Answer { return Answer{Opens: true} }

func malformed(layer nip59.Layer, cause error) Answer {
	return Answer{Layer: layer, All: []error{cause}, Class: nip59.ClassMalformed}
}

// malformedAny is for a text with several faults, of which one is told.
func malformedAny(layer nip59.Layer, causes ...error) Answer {
	if len(causes) == 1 {
		return malformed(layer, causes[0])
	}
	return Answer{Layer: layer, Any: causes, Class: nip59.ClassMalformed}
}

func forged(layer nip59.Layer, causes ...error) Answer {
	return Answer{Layer: layer, All: causes, Class: nip59.ClassForged}
}

func notForMe(layer nip59.Layer, causes ...error) Answer {
	return Answer{Layer: layer, All: append([]error{nip59.ErrNotForMe}, causes...), Class: nip59.ClassNotForMe}
}

func tooLarge(layer nip59.Layer) Answer {
	return Answer{Layer: layer, All: []error{nip44.ErrTooLarge}, Class: nip59.ClassTooLarge}
}

// Final reports whether trying again can never help: so says the documentation
// of nip59 and of the tool.
func (a Answer) Final() bool {
	return a.Class == nip59.ClassMalformed || a.Class == nip59.ClassForged
}

// allows returns what speaks against err as this answer, or "".
func (a Answer) allows(err error) string {
	var at *nip59.LayerError
	switch class := nip59.Classify(err); {
	case a.Opens && err == nil:
		return ""
	case a.Opens:
		return "it must open"
	case err == nil:
		return "it opened"
	case !errors.As(err, &at) || at.Layer != a.Layer:
		return fmt.Sprintf("the layer is not %s", a.Layer)
	case class != a.Class:
		return fmt.Sprintf("the class is %s, not %s", class, a.Class)
	case class.Final() != a.Final():
		return fmt.Sprintf("Final is %v", class.Final())
	}
	for _, cause := range a.All {
		if !errors.Is(err, cause) {
			return fmt.Sprintf("it is not %q", cause)
		}
	}
	if len(a.Any) > 0 && !slices.ContainsFunc(a.Any, func(cause error) bool { return errors.Is(err, cause) }) {
		return fmt.Sprintf("it is none of %q", a.Any)
	}
	return ""
}

// An Input is one line that reaches bob, and the answer to it.
type Input struct {
	Kind string // of attack
	Name string // within the kind
	Line []byte
	Answer
	Single *Answer // as a wrap of a single layer, where given by hand
	Swept  bool    // the answer is the reference's, not one given by hand
}

// A generator makes the corpus, one input at a time: none is held.
type generator struct {
	*builder
	// pick tells for each input of a sweep whether to make it; nil makes all.
	pick func() bool
	emit func(Input)
	kind string
}

func (g *generator) add(name string, line []byte, a Answer) {
	g.emit(Input{Kind: g.kind, Name: name, Line: line, Answer: a})
}

// sweep adds an input of many, which the reference answers.
func (g *generator) sweep(name string, line func() []byte) {
	if g.pick == nil || g.pick() {
		text := line()
		g.emit(Input{Kind: g.kind, Name: name, Line: text, Answer: g.answer(text), Swept: true})
	}
}

// sorted goes through a map in the order of its keys, so that the corpus is the
// same on every run.
func sorted[K cmp.Ordered, V any](m map[K]V) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

// layers names the layers of the builder as errors do.
var layers = []nip59.Layer{wrapLayer: nip59.LayerWrap, sealLayer: nip59.LayerSeal, rumorLayer: nip59.LayerRumor}

// text adds a text in the place of a layer's, whatever the layer.
func (g *generator) text(layer int, name string, text []byte, a Answer) {
	if a.Layer == "" && !a.Opens {
		a.Layer = layers[layer]
	}
	g.add(string(layers[layer])+", "+name, g.around(layer, text), a)
}

// bad is an answer of the layer that text is given.
func bad(cause error) Answer { return malformed("", cause) }

// kinds are the families of the corpus, in the order of its files.
var kinds = []struct {
	name string
	make func(*generator)
}{
	{"truncated", (*generator).truncated},
	{"bit-flips", (*generator).bitFlips},
	{"wrong-kind", (*generator).wrongKinds},
	{"nested", (*generator).nested},
	{"authenticated", (*generator).authenticatedBlocks},
	{"length-prefix", (*generator).lengthPrefixes},
	{"payload-form", (*generator).payloadForms},
	{"keys", (*generator).badKeys},
	{"forged", (*generator).forgeries},
	{"not-for-me", (*generator).strangers},
	{"deep", (*generator).deep},
	{"numbers", (*generator).numbers},
	{"duplicate-keys", (*generator).duplicateKeys},
	{"key-case", (*generator).keyCase},
	{"missing-keys", (*generator).missingKeys},
	{"types", (*generator).types},
	{"hex", (*generator).hexadecimal},
	{"escapes", (*generator).escapes},
	{"surrogates", (*generator).surrogates},
	{"utf8", (*generator).utf8},
	{"trailing", (*generator).trailing},
	{"tags", (*generator).tags},
	{"large", (*generator).large},
	{"single-layer", (*generator).singleLayer},
}

// run makes the whole corpus.
func (g *generator) run() {
	for _, k := range kinds {
		g.kind = k.name
		k.make(g)
	}
}

// Every truncation of the three texts, of the payloads as texts, and of the
// authenticated blocks in them. All is encrypted and signed anew, so that the
// reader comes to the fault.
func (g *generator) truncated() {
	for layer, name := range layers {
		text := g.good(layer)
		for n := range text {
			g.sweep(fmt.Sprintf("%s JSON, %d of %d bytes", name, n, len(text)), func() []byte { return g.around(layer, text[:n]) })
		}
		if layer == rumorLayer {
			continue
		}
		block := pad(g.good(layer + 1))
		payload := authenticated(g.key(layer), block)
		for n := range payload {
			g.sweep(fmt.Sprintf("%s payload, %d of %d characters", name, n, len(payload)), func() []byte { return g.carrying(layer, payload[:n]) })
		}
		for n := range block {
			g.sweep(fmt.Sprintf("%s block, %d of %d bytes", name, n, len(block)), func() []byte {
				return g.carrying(layer, authenticated(g.key(layer), block[:n]))
			})
		}
	}
}

// Every single-bit flip of the three texts; those of the inner ones are
// encrypted anew.
func (g *generator) bitFlips() {
	for layer, name := range layers {
		text := g.good(layer)
		for bit := range 8 * len(text) {
			g.sweep(fmt.Sprintf("%s, byte %d, bit %d", name, bit/8, bit%8), func() []byte {
				flipped := bytes.Clone(text)
				flipped[bit/8] ^= 1 << (bit % 8)
				return g.around(layer, flipped)
			})
		}
	}
}

func (g *generator) wrongKinds() {
	for layer := range layers {
		for _, kind := range []string{"0", "1", "4", "12", "13", "14", "15", "1058", "1059", "1060", "21058", "21059", "21060", "65535"} {
			t := g.template(layer)
			t.kind = kind
			a := bad(nip59.ErrKind)
			switch {
			case layer == wrapLayer && (kind == "1059" || kind == "21059"), layer == sealLayer && kind == "13", layer == rumorLayer:
				a = opens() // a rumor is of any kind, and nothing in it is opened
			}
			g.text(layer, "kind "+kind, t.signed(g.author(layer)).text(), a)
		}
		for _, kind := range []string{"65536", "66595", "1099511628835", "-1", "-1059"} {
			t := g.template(layer)
			t.kind = kind
			g.text(layer, "kind "+kind, t.signed(g.author(layer)).text(), bad(event.ErrKind))
		}
	}
}

// Wraps in wraps, and one layer in the place of another.
func (g *generator) nested() {
	line := g.good(wrapLayer)
	for depth := 2; depth <= 6; depth++ {
		line = g.wrapAround(line)
		g.add(fmt.Sprintf("%d wraps around each other", depth), line, malformed(nip59.LayerSeal, nip59.ErrKind))
	}
	g.add("a wrap in a seal", g.around(rumorLayer, g.good(wrapLayer)), forged(nip59.LayerRumor, nip59.ErrSenderMismatch))
	own := g.wrap(authenticated(g.sealKey, pad(g.good(sealLayer))))
	own.pubkey = quote(g.alice.hex)
	g.add("a wrap of the author's in a seal", g.around(rumorLayer, own.signed(g.alice).text()), opens())
	g.add("a seal in a seal", g.around(rumorLayer, g.good(sealLayer)), opens())
	g.add("a seal in the place of a wrap", g.good(sealLayer), malformed(nip59.LayerWrap, nip59.ErrKind))
	g.add("a rumor in the place of a wrap", g.good(rumorLayer), malformed(nip59.LayerWrap, event.ErrMissingKey))
	g.add("a rumor in the place of a seal", g.around(sealLayer, g.good(rumorLayer)), malformed(nip59.LayerSeal, nip59.ErrKind))
	g.add("a signed note in the place of a seal", g.around(sealLayer, g.inner().signed(g.alice).text()), malformed(nip59.LayerSeal, nip59.ErrKind))
	g.add("a signed rumor", g.around(rumorLayer, g.inner().signed(g.alice).text()), opens()) // the signature is dropped
	g.add("a payload in the place of a seal", g.around(sealLayer, []byte(g.payload(wrapLayer))), malformed(nip59.LayerSeal, event.ErrSyntax))
	g.add("a payload in the place of a rumor", g.around(rumorLayer, []byte(g.payload(sealLayer))), malformed(nip59.LayerRumor, event.ErrSyntax))
	unsigned := g.seal(g.payload(sealLayer)).signed(nil)
	g.add("a seal without a signature", g.around(sealLayer, unsigned.text()), malformed(nip59.LayerSeal, event.ErrMissingKey))
}

// payload is the good payload of a layer.
func (g *generator) payload(layer int) string {
	return authenticated(g.key(layer), pad(g.good(layer+1)))
}

// Case 1: ciphertexts of 0 to 40 bytes under a tag that holds.
func (g *generator) authenticatedBlocks() {
	for layer := range rumorLayer {
		name := layers[layer]
		for n := 0; n <= 40; n++ {
			for fill, b := range sorted(map[string]byte{"zeros": 0, "ones": 0xff, "text": '{'}) {
				a := malformed(name, nip44.ErrTooShort)
				if n >= 34 {
					a = malformed(name, nip44.ErrPadding)
				}
				g.add(fmt.Sprintf("%s, %d bytes of %s", name, n, fill), g.carrying(layer, authenticated(g.key(layer), bytes.Repeat([]byte{b}, n))), a)
			}
		}
	}
}

// Prefixes that do not fit the block behind them, again under a good tag.
func (g *generator) lengthPrefixes() {
	short := func(n uint16) []byte { return binary.BigEndian.AppendUint16(nil, n) }
	long := func(n uint32) []byte { return binary.BigEndian.AppendUint32([]byte{0, 0}, n) }
	for layer := range rumorLayer {
		name := layers[layer]
		add := func(what string, block []byte, a Answer) {
			g.add(fmt.Sprintf("%s, %s", name, what), g.carrying(layer, authenticated(g.key(layer), block)), a)
		}
		wrong := malformed(name, nip44.ErrPadding)
		for _, c := range []struct {
			claimed uint16
			padded  int
		}{{1, 64}, {32, 64}, {33, 32}, {64, 32}, {65, 64}, {257, 256}, {65535, 32}, {65535, 57344}, {1, 65536}, {57344, 65536}} {
			add(fmt.Sprintf("short prefix %d before %d bytes", c.claimed, c.padded), block(short(c.claimed), nil, c.padded), wrong)
		}
		for _, n := range []uint32{0, 1, 28, 32, 65535, 65536, 65537, 1 << 24, 1<<31 - 1, 1 << 31, 1<<32 - 1} {
			// In blocks of the short form, whose length passes.
			for _, size := range []int{34, 66, 322, 65538} {
				add(fmt.Sprintf("extended prefix %d in a block of %d bytes", n, size), block(long(n), nil, size-6), wrong)
			}
			for _, padded := range []int{65536, 81920, 131072} {
				if int(n) == 65536 && padded == 65536 || int(n) == 65537 && padded == 81920 {
					continue // right
				}
				add(fmt.Sprintf("extended prefix %d before %d bytes", n, padded), block(long(n), nil, padded), wrong)
			}
		}
		// The right ones, around what is no JSON.
		inside := malformed(layers[layer+1], event.ErrSyntax)
		add("extended prefix 65536, right, around zeros", block(long(65536), nil, 65536), inside)
		add("extended prefix 65537, right, around zeros", block(long(65537), nil, 81920), inside)
		add("short prefix 65535, right, around zeros", block(short(65535), nil, 65536), inside)
		add("short prefix 1, right, around zeros", block(short(1), nil, 32), inside)
	}
}

// Payloads that are none, in events signed anew.
func (g *generator) payloadForms() {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for layer := range rumorLayer {
		name := layers[layer]
		// White space makes the text of a length that leaves bits to spare.
		text := g.good(layer + 1)
		good := g.payload(layer)
		for !strings.HasSuffix(good, "=") {
			text = append(text, bytes.Repeat([]byte(" "), 32)...)
			good = authenticated(g.key(layer), pad(text))
		}
		raw, err := base64.StdEncoding.DecodeString(good)
		must(err)
		add := func(what, payload string, causes ...error) {
			g.add(fmt.Sprintf("%s, %s", name, what), g.carrying(layer, payload), malformedAny(name, causes...))
		}
		add("empty", "", nip44.ErrVersion)
		add("one #", "#", nip44.ErrVersion)
		add("# in front", "#"+good[1:], nip44.ErrVersion)
		for _, v := range []byte{0, 1, 3, 0x7f, 0xff} {
			other := bytes.Clone(raw)
			other[0] = v
			add(fmt.Sprintf("version %d", v), base64.StdEncoding.EncodeToString(other), nip44.ErrVersion)
			add(fmt.Sprintf("version %d alone", v), base64.StdEncoding.EncodeToString([]byte{v, 0, 0}), nip44.ErrVersion)
		}
		add("98 bytes", base64.StdEncoding.EncodeToString(raw[:98]), nip44.ErrTooShort)
		digits := strings.TrimRight(good, "=")
		tail := good[len(digits):]
		at := strings.IndexByte(alphabet, digits[len(digits)-1])
		add("spare bits", digits[:len(digits)-1]+alphabet[at+1:at+2]+tail, nip44.ErrBase64)
		add("no padding", digits, nip44.ErrBase64)
		add("more padding", good+"=", nip44.ErrBase64)
		add("four more of padding", good+"====", nip44.ErrBase64, nip44.ErrPadding)
		for what, s := range sorted(map[string]string{
			"a space": " ", "a tab": `\t`, "CR": `\r`, "LF": `\n`, "CR LF": `\r\n`, "NUL": `\u0000`, "no-break space": "\u00a0",
		}) {
			in := malformedAny(name, nip44.ErrBase64, nip44.ErrPadding)
			in.All = nil
			g.add(fmt.Sprintf("%s, %s in the middle", name, what), g.carrying(layer, good[:80]+s+good[80:]), in)
			g.add(fmt.Sprintf("%s, %s at the end", name, what), g.carrying(layer, good+s), in)
		}
		// What keeps the length is seen when the text is decoded, behind the
		// signature.
		for what, s := range sorted(map[string]string{"URL alphabet -": "-", "URL alphabet _": "_", "a space": " ", "=": "=", "LF": `\n`, "a quote": `\"`, "*": "*"}) {
			g.add(fmt.Sprintf("%s, %s for a digit", name, what), g.carrying(layer, good[:80]+s+good[81:]), malformed(name, nip44.ErrBase64))
		}
		add("NIP-04", base64.StdEncoding.EncodeToString(make([]byte, 96))+"?iv="+base64.StdEncoding.EncodeToString(make([]byte, 16)), nip44.ErrLegacyNIP04)
		add("a sentence", "The boat leaves at six, and nothing of this is a payload of NIP-44 at all, whatever else it may be, I say.", nip44.ErrBase64, nip44.ErrPadding, nip44.ErrTooShort)
	}
}

// Numbers of 32 bytes that are no x-coordinate of the curve.
var offCurve = []struct{ name, hex string }{
	{"0", strings.Repeat("0", 64)},
	{"5", strings.Repeat("0", 63) + "5"},
	{"the field prime", "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"},
	{"the field prime and 1", "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc30"},
	{"2^256-1", strings.Repeat("f", 64)},
}

// Keys that are none, in every place, with a right id and somebody's signature,
// with zeros for one, and with the right signature of the right key.
func (g *generator) badKeys() {
	for _, key := range offCurve {
		for layer, cause := range sorted(map[int]error{wrapLayer: nip59.ErrWrapSignature, sealLayer: nip59.ErrSealSignature}) {
			t := g.template(layer)
			t.pubkey = quote(key.hex)
			g.text(layer, "pubkey "+key.name, t.signed(g.mallory).text(), forged("", cause, keys.ErrPublicKey))
			t.sig = quote(strings.Repeat("0", 128))
			g.text(layer, "pubkey "+key.name+", zeros for a signature", t.signed(nil).text(), forged("", cause, keys.ErrPublicKey))
			good := g.template(layer).signed(g.author(layer))
			good.pubkey = quote(key.hex)
			g.text(layer, "pubkey "+key.name+" put into a signed event", good.text(), forged("", cause, event.ErrID))
		}
		rumor := g.rumor()
		rumor.pubkey = quote(key.hex)
		g.text(rumorLayer, "pubkey "+key.name, rumor.signed(nil).text(), forged("", nip59.ErrSenderMismatch))
		wrap := g.template(wrapLayer)
		wrap.tags = `[["p",` + quote(key.hex) + `]]`
		g.text(wrapLayer, "p tag "+key.name, wrap.signed(g.once).text(), notForMe(""))
		wrap.tags = `[["p",` + quote(key.hex) + `],["p",` + quote(g.bob.hex) + `]]`
		g.text(wrapLayer, "p tag "+key.name+" beside the right one", wrap.signed(g.once).text(), opens())
		rumor = g.rumor()
		rumor.tags = `[["p",` + quote(key.hex) + `]]`
		g.text(rumorLayer, "p tag "+key.name, rumor.signed(nil).text(), opens()) // tags of a message are not read
	}
}

func (g *generator) forgeries() {
	const prime, order = "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
	for layer, cause := range sorted(map[int]error{wrapLayer: nip59.ErrWrapSignature, sealLayer: nip59.ErrSealSignature}) {
		good := g.template(layer).signed(g.author(layer))
		sig := strings.Trim(good.sig, `"`)
		for name, s := range sorted(map[string]string{
			"of zeros":            strings.Repeat("0", 128),
			"R is the prime":      prime + sig[64:],
			"R is off the curve":  offCurve[1].hex + sig[64:],
			"s is zero":           sig[:64] + strings.Repeat("0", 64),
			"s is the order":      sig[:64] + order,
			"s is 2^256-1":        sig[:64] + strings.Repeat("f", 64),
			"R and s swapped":     sig[64:] + sig[:64],
			"of another's key":    strings.Trim(g.template(layer).signed(g.mallory).sig, `"`),
			"one of another hash": g.mallory.sign(make([]byte, 32)),
		}) {
			t := good
			t.sig = quote(s)
			g.text(layer, "signature "+name, t.text(), forged("", cause, event.ErrSignature))
		}
		// Case 44: a true signature, but the event is another, or the id.
		t := good
		t.createdAt = "1699980001"
		g.text(layer, "changed after signing", t.text(), forged("", cause, event.ErrID))
		t = good
		t.id = quote(strings.Repeat("0", 64))
		t.sig = quote(g.author(layer).sign(make([]byte, 32)))
		g.text(layer, "a signature of a claimed id", t.text(), forged("", cause, event.ErrID))
	}
	// Case 21, and what is like it.
	rumor := g.rumor()
	rumor.pubkey = quote(g.mallory.hex)
	g.text(rumorLayer, "another's name", rumor.signed(nil).text(), forged("", nip59.ErrSenderMismatch))
	rumor.pubkey = quote(g.bob.hex)
	g.text(rumorLayer, "the reader's own name", rumor.signed(nil).text(), forged("", nip59.ErrSenderMismatch))
	rumor = g.rumor()
	rumor.id = quote(strings.Repeat("0", 64))
	g.text(rumorLayer, "a wrong id", rumor.text(), forged("", nip59.ErrRumorID))
	seal := g.template(sealLayer)
	seal.pubkey = quote(g.mallory.hex)
	seal.content = quote(authenticated(g.mallory.conversationKey(g.bob.hex), pad(g.good(rumorLayer))))
	g.add("a rumor under another's seal", g.around(sealLayer, seal.signed(g.mallory).text()), forged(nip59.LayerRumor, nip59.ErrSenderMismatch))
	for name, tags := range sorted(map[string]string{"p": `[["p",` + quote(g.bob.hex) + `]]`, "expiration and another": `[["expiration","1800000000"],["x"]]`, "an empty name": `[[""]]`, "Expiration": `[["Expiration","1800000000"]]`}) {
		t := g.template(sealLayer)
		t.tags = tags
		g.text(sealLayer, "tags, "+name, t.signed(g.alice).text(), bad(nip59.ErrSealTags))
	}
	t := g.template(sealLayer)
	t.tags = `[["expiration","1800000000"]]`
	g.text(sealLayer, "tags, expiration", t.signed(g.alice).text(), opens())
}

func (g *generator) strangers() {
	for name, tags := range sorted(map[string]string{
		"no tag": `[]`, "another's p tag": `[["p",` + quote(g.mallory.hex) + `]]`, "a p tag without a key": `[["p"]]`, "a key in another tag": `[["e",` + quote(g.bob.hex) + `]]`,
		"the key in the third place": `[["p","",` + quote(g.bob.hex) + `]]`, "upper-case hex": `[["p",` + quote(strings.ToUpper(g.bob.hex)) + `]]`,
		"a space behind the key": `[["p",` + quote(g.bob.hex+" ") + `]]`, "an upper-case name": `[["P",` + quote(g.bob.hex) + `]]`,
	}) {
		t := g.template(wrapLayer)
		t.tags = tags
		g.text(wrapLayer, name, t.signed(g.once).text(), notForMe(""))
	}
	for layer := range rumorLayer {
		author := g.author(layer)
		other := authenticated(author.conversationKey(g.mallory.hex), pad(g.good(layer+1)))
		g.add(string(layers[layer])+" encrypted to another", g.carrying(layer, other), notForMe(layers[layer], nip44.ErrMAC))
		raw, err := base64.StdEncoding.DecodeString(g.payload(layer))
		must(err)
		for name, at := range sorted(map[string]int{"nonce": 1, "ciphertext": 40, "tag": len(raw) - 1}) {
			changed := bytes.Clone(raw)
			changed[at] ^= 1
			g.add(fmt.Sprintf("%s, a bit of the %s", layers[layer], name), g.carrying(layer, base64.StdEncoding.EncodeToString(changed)), notForMe(layers[layer], nip44.ErrMAC))
		}
	}
	// A seal for mallory, wrapped again for bob.
	seal := g.seal(authenticated(g.alice.conversationKey(g.mallory.hex), pad(g.good(rumorLayer))))
	g.add("another's seal wrapped again", g.around(sealLayer, seal.signed(g.alice).text()), notForMe(nip59.LayerSeal, nip44.ErrMAC))
}

// A million brackets. In a rumor it is fewer: a seal that holds more is too
// large to be read.
func (g *generator) deep() {
	for layer := range layers {
		n := []int{1_000_000, 1_000_000, 650_000}[layer]
		good := g.good(layer)
		open, objects, pairs := strings.Repeat("[", n), strings.Repeat(`{"a":`, n/5), strings.Repeat("[", n/2)+strings.Repeat("]", n/2)
		for name, nest := range sorted(map[string]string{"open": open, "closed": pairs, "objects": objects}) {
			g.text(layer, "an unknown key, "+name, insert(good, `"x":`+nest), bad(event.ErrNesting))
			t := g.template(layer).signed(g.author(layer))
			t.tags = nest
			g.text(layer, "tags, "+name, t.text(), bad(event.ErrType))
			t = g.template(layer).signed(g.author(layer))
			t.content = nest
			g.text(layer, "content, "+name, t.text(), bad(event.ErrType))
			g.text(layer, "instead of all, "+name, []byte(nest), bad(map[bool]error{true: event.ErrNesting, false: event.ErrType}[nest == objects]))
		}
		for _, depth := range []int{31, 32} {
			a := opens() // the object of the event is one more
			if depth == 32 {
				a = bad(event.ErrNesting)
			}
			g.text(layer, fmt.Sprintf("%d arrays in an unknown key", depth), insert(good, `"x":`+strings.Repeat("[", depth)+strings.Repeat("]", depth)), a)
			g.text(layer, fmt.Sprintf("%d objects in an unknown key", depth), insert(good, `"x":`+strings.Repeat(`{"a":`, depth)+"0"+strings.Repeat("}", depth)), a)
		}
	}
	// As a string it is no nesting.
	brackets := quote(strings.Repeat("[", 650_000))
	g.text(rumorLayer, "brackets as content", template{pubkey: quote(g.alice.hex), createdAt: "1700000000", kind: "14", tags: "[]", content: brackets}.signed(nil).text(), opens())
	for layer := range rumorLayer {
		n := []int{1_000_000, 700_000}[layer]
		g.add(string(layers[layer])+", brackets as payload", g.carrying(layer, strings.Repeat("[", n)), malformedAny(layers[layer], nip44.ErrPadding, nip44.ErrBase64))
	}
}

func (g *generator) numbers() {
	digits := strings.Repeat("9", 100_000)
	for layer := range layers {
		for field, cause := range sorted(map[string]error{"created_at": event.ErrCreatedAt, "kind": event.ErrKind}) {
			add := func(number string, a Answer) {
				t := g.template(layer)
				if field == "kind" {
					t.kind = number
				} else {
					t.createdAt = number
				}
				if len(number) > 40 {
					number = fmt.Sprintf("of %d digits", len(number))
				}
				g.text(layer, field+" "+number, t.signed(g.author(layer)).text(), a)
			}
			for _, n := range []string{
				"1e400", "-1e400", "1E2", "1059e0", "13e0", "1e-400", "0e0", "-0", "-0.0", "0.0", "1.0", "1059.0", "13.0", "1059.5", "-1", "9007199254740992", "9223372036854775807", "9223372036854775808",
				"18446744073709551615", "18446744073709551616", "18446744073709552675", "340282366920938463463374607431768211456", digits, "1." + digits, "1e" + digits,
			} {
				add(n, bad(cause))
			}
			add("-01", malformedAny("", cause, event.ErrSyntax))
			for _, n := range []string{"01", "00", "01059", "013", "+1", ".5", "1.", "1e", "1e+", "-", "0x10", "1_000", "1 059", "NaN", "Infinity", "1059n"} {
				add(n, bad(event.ErrSyntax))
			}
			for _, n := range []string{`"1059"`, `""`, "null", "true", "[]", "{}", "[1059]", "-Infinity"} {
				a := bad(event.ErrType)
				if n == "-Infinity" {
					a = bad(event.ErrSyntax)
				}
				add(n, a)
			}
			if field == "created_at" {
				add("9007199254740991", opens())
				add("0", opens())
			}
		}
	}
}

// members returns the members of the good text of a layer.
func (g *generator) members(layer int) map[string]string {
	var raw map[string]json.RawMessage
	must(json.Unmarshal(g.good(layer), &raw))
	m := map[string]string{}
	for k, v := range raw {
		m[k] = string(v)
	}
	return m
}

func (g *generator) duplicateKeys() {
	for layer := range layers {
		good := g.good(layer)
		for key, value := range sorted(g.members(layer)) {
			escaped := fmt.Sprintf(`\u%04x%s`, key[0], key[1:])
			g.text(layer, key+" twice, the same", insert(good, quote(key)+":"+value), bad(event.ErrDuplicateKey))
			g.text(layer, key+" twice, once with an escape", insert(good, quote(escaped)+":"+value), bad(event.ErrDuplicateKey))
			g.text(layer, key+" twice, at the end", append(bytes.Clone(good[:len(good)-1]), (","+quote(key)+":"+value+"}")...), bad(event.ErrDuplicateKey))
		}
		g.text(layer, "another content in front", insert(good, `"content":"other"`), bad(event.ErrDuplicateKey))
		g.text(layer, "an unknown key twice", insert(good, `"x":1,"x":2`), opens())
	}
}

func (g *generator) keyCase() {
	fold := strings.NewReplacer("s", "\u017f", "k", "\u212a") // fold to s and k
	for layer := range layers {
		good := g.good(layer)
		for key := range sorted(g.members(layer)) {
			for _, other := range []string{strings.ToUpper(key), strings.ToUpper(key[:1]) + key[1:], key[:len(key)-1] + strings.ToUpper(key[len(key)-1:]), fold.Replace(key)} {
				if other == key {
					continue
				}
				g.text(layer, other+" for "+key, replace(good, quote(key)+":", quote(other)+":"), bad(event.ErrKeyCase))
				g.text(layer, other+" beside "+key, insert(good, quote(other)+":null"), bad(event.ErrKeyCase))
			}
		}
		g.text(layer, "with an escape", insert(good, `"\u0049D":0`), bad(event.ErrKeyCase))
		for _, other := range []string{"ids", "created-at", "createdat", "pub_key", " id", "id ", "i", "", "\u0131d"} {
			g.text(layer, "unknown key "+other, insert(good, quote(other)+":0"), opens())
		}
	}
}

func (g *generator) missingKeys() {
	for layer := range layers {
		for key := range sorted(g.members(layer)) {
			a := bad(event.ErrMissingKey)
			if layer == rumorLayer && key == "id" {
				a = opens() // Case 26: computed
			}
			g.text(layer, "no "+key, without(g.good(layer), key), a)
		}
		g.text(layer, "nothing", []byte("{}"), bad(event.ErrMissingKey))
		g.text(layer, "unknown keys only", []byte(`{"a":1,"b":[{}]}`), bad(event.ErrMissingKey))
	}
}

func (g *generator) types() {
	for layer := range layers {
		good := g.good(layer)
		for key, value := range sorted(g.members(layer)) {
			for _, other := range []string{"null", "true", "false", "0", "-1", "1.5", `""`, `"x"`, "[]", `[""]`, "{}", `{"a":1}`, `[["p",null]]`, `[["p",1]]`, `[["p",["x"]]]`, `[{}]`, "[null]", "[[]]"} {
				a := bad(event.ErrType)
				switch key {
				case "id", "sig":
					blank := other == "null" || other == `""`
					switch {
					case blank && layer == rumorLayer:
						a = opens()
					case blank && layer == sealLayer:
						a = bad(event.ErrMissingKey)
					case other[0] == '"':
						a = bad(event.ErrHex)
					}
				case "pubkey":
					if other[0] == '"' {
						a = bad(event.ErrHex)
					}
				case "created_at", "kind":
					cause := map[string]error{"created_at": event.ErrCreatedAt, "kind": event.ErrKind}[key]
					switch other {
					case "-1", "1.5":
						a = bad(cause)
					case "0":
						continue // see wrongKinds and forgeries
					}
				case "content":
					if other[0] == '"' {
						continue // see payloadForms
					}
				case "tags":
					switch other {
					case "[]":
						continue // see strangers
					case "[[]]":
						a = bad(event.ErrEmptyTag)
					}
				}
				g.text(layer, key+" is "+other, replace(good, quote(key)+":"+value, quote(key)+":"+other), a)
			}
		}
		for _, text := range []string{"null", "true", "0", `""`, "[]", "[{}]", `"{}"`} {
			g.text(layer, "instead of all "+text, []byte(text), bad(event.ErrType))
		}
		for _, text := range []string{" ", "{", "}", "nul", "x", "{,}", `{"id"}`, `{"id":}`, `{"id":1,}`, `{id:1}`, "{'id':1}", "{}{}", "\x00", "<html>"} {
			a := bad(event.ErrSyntax)
			switch text {
			case "nul", `{"id":1,}`:
				a = malformedAny("", event.ErrSyntax, event.ErrType)
			}
			g.text(layer, fmt.Sprintf("instead of all %q", text), []byte(text), a)
		}
	}
}

func (g *generator) hexadecimal() {
	for layer := range layers {
		good := g.good(layer)
		for key, value := range sorted(g.members(layer)) {
			if key != "id" && key != "pubkey" && key != "sig" {
				continue
			}
			digits := strings.Trim(value, `"`)
			for name, other := range sorted(map[string]string{
				"in upper case": strings.ToUpper(digits), "with one letter in upper case": "A" + digits[1:], "one digit short": digits[1:], "a byte short": digits[2:],
				"a digit too long": digits + "0", "a byte too long": digits + "00", "a letter too high": "g" + digits[1:], "with a prefix": "0x" + digits[2:], "with a space": " " + digits[1:],
				"with NUL": `\u0000` + digits[1:], "in wide digits": "\uff10" + digits[1:], "of 100,000 digits": strings.Repeat("0", 100_000),
			}) {
				g.text(layer, key+" "+name, replace(good, quote(key)+":"+value, quote(key)+":"+quote(other)), bad(event.ErrHex))
			}
			escaped := fmt.Sprintf(`\u00%02x`, digits[0]) + digits[1:]
			g.text(layer, key+" with an escape", replace(good, quote(key)+":"+value, quote(key)+":"+quote(escaped)), opens())
		}
	}
}

// strings puts a piece of a JSON string into every kind of string of a layer,
// with a space behind it, which belongs to no escape and no character.
func (g *generator) strings(layer int, name, piece string, a Answer) {
	piece += " "
	good := g.good(layer)
	content := g.members(layer)["content"]
	tags := g.members(layer)["tags"]
	g.text(layer, name+" in the content", replace(good, `"content":`+content, `"content":"`+piece+content[1:]), a)
	g.text(layer, name+" in a tag", replace(good, `"tags":`+tags, `"tags":[["t","a`+piece+`b"]]`), a)
	g.text(layer, name+" in an unknown key", insert(good, `"x`+piece+`":0`), a)
	g.text(layer, name+" in an unknown value", insert(good, `"x":["`+piece+`"]`), a)
	g.text(layer, name+" in id", replace(good, `"id":"`, `"id":"`+piece), a)
}

func (g *generator) escapes() {
	for layer := range layers {
		for _, piece := range []string{`\x41`, `\'`, `\0`, `\a`, `\v`, `\e`, `\u`, `\u1`, `\u12`, `\u123`, `\u12g4`, `\u 123`, `\u+123`, `\U0041`, `\N`, `\` + "\u00e9", `\u{41}`} {
			g.strings(layer, piece, piece, bad(event.ErrSyntax))
		}
		for c := range 0x20 {
			if c == '\n' && layer == wrapLayer {
				continue // ends the line; the two parts are among the truncations
			}
			g.strings(layer, fmt.Sprintf("raw control %02x", c), string(rune(c)), bad(event.ErrSyntax))
		}
		good := g.good(layer)
		// Every character of a value as an escape says the same.
		for _, key := range []string{"content", "pubkey"} {
			value := g.members(layer)[key]
			var all strings.Builder
			for i := 1; i < len(value)-1; i++ {
				fmt.Fprintf(&all, `\u%04X`, value[i])
			}
			g.text(layer, key+" all in escapes", replace(good, quote(key)+":"+value, quote(key)+":"+quote(all.String())), opens())
		}
		g.text(layer, "a key in escapes", replace(good, `"kind":`, `"\u006b\u0069\u006E\u0064":`), opens())
	}
}

func (g *generator) surrogates() {
	for layer := range layers {
		for _, piece := range []string{`\ud83d`, `\uD83D`, `\ude00`, `\uDFFF`, `\ud800\u0041`, `\ud800x`, `\ude00\ud83d`, `\ud83d\ud83d`, `\ud83d\n`, `\ud83d\ud83d\ude00`} {
			g.strings(layer, piece, piece, bad(event.ErrUTF8))
		}
		good := g.good(layer)
		g.text(layer, "a whole pair in an unknown key", insert(good, `"\ud83d\ude00":"\uDBFF\uDFFF"`), opens())
	}
}

func (g *generator) utf8() {
	for layer := range layers {
		for _, piece := range []string{
			"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe0\x80\x80", "\xe2\x82", "\xed\xa0\x80", "\xed\xbf\xbf", "\xed\xa0\xbd\xed\xb8\x80",
			"\xf0\x80\x80\x80", "\xf0\x9f\x98", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xfe", "\xff", "\xef\xbf",
		} {
			g.strings(layer, hex.EncodeToString([]byte(piece)), piece, bad(event.ErrUTF8))
		}
		good := g.good(layer)
		for _, piece := range []string{"\xff", "\xed\xa0\x80", "\u00e9"} {
			causes := []error{event.ErrSyntax}
			if piece != "\u00e9" {
				causes = append(causes, event.ErrUTF8)
			}
			g.text(layer, hex.EncodeToString([]byte(piece))+" outside of strings", replace(good, `,"kind":`, `,`+piece+`"kind":`), malformedAny("", causes...))
		}
	}
}

func (g *generator) trailing() {
	for layer := range layers {
		good := g.good(layer)
		for _, rest := range []string{"{}", string(good), "x", ",", "]", "}", "null", "0", `""`, "\x00", "\v", "\u00a0", "\ufeff", "//", "#", ";"} {
			name := rest
			if rest == string(good) {
				name = "itself"
			}
			g.text(layer, fmt.Sprintf("behind it %q", name), append(bytes.Clone(good), rest...), bad(event.ErrSyntax))
			g.text(layer, fmt.Sprintf("behind it a space and %q", name), append(append(bytes.Clone(good), ' '), rest...), bad(event.ErrSyntax))
		}
		for _, front := range []string{"\ufeff", "\x00", "\v", "\u00a0", ",", "/**/", ")]}',"} {
			g.text(layer, fmt.Sprintf("in front of it %q", front), append([]byte(front), good...), bad(event.ErrSyntax))
		}
		g.text(layer, "white space around it", []byte(" \t "+string(good)+" \t "), opens())
		comma := append(bytes.Clone(good[:len(good)-1]), ",}"...)
		g.text(layer, "a comma before the brace", comma, bad(event.ErrSyntax))
	}
}

// Tags without a string, and very many.
func (g *generator) tags() {
	for layer := range layers {
		good := g.good(layer)
		old := `"tags":` + g.members(layer)["tags"]
		for _, tags := range []string{"[[]]", `[["a"],[]]`, `[[],["a"]]`, "[[ ]]"} {
			g.text(layer, tags, replace(good, old, `"tags":`+tags), bad(event.ErrEmptyTag))
		}
		for _, tags := range []string{`[["a",]]`, `[["a"],]`, `[,]`, `[["a" "b"]]`, `[["a"]["b"]]`, `[["a":"b"]]`, `[["a"}]`} {
			g.text(layer, tags, replace(good, old, `"tags":`+tags), bad(event.ErrSyntax))
		}
	}
	many := template{pubkey: quote(g.once.hex), createdAt: "1699980000", kind: "1059", content: quote(g.payload(wrapLayer))}
	p := `["p",` + quote(g.bob.hex) + `]`
	many.tags = "[" + strings.Repeat(`[""],`, 1_000_000) + p + "]"
	g.text(wrapLayer, "a million empty ones, then the right one", many.signed(g.once).text(), opens())
	many.tags = `[["t"` + strings.Repeat(`,""`, 1_000_000) + `],` + p + "]"
	g.text(wrapLayer, "a million strings in one, then the right one", many.signed(g.once).text(), opens())
	many.tags = "[" + strings.Repeat(p+",", 50_000) + p + "]"
	g.text(wrapLayer, "the right one 50,001 times", many.signed(g.once).text(), opens())
	many.tags = "[" + strings.Repeat(`["p","x"],`, 500_000) + `["p","x"]]`
	g.text(wrapLayer, "half a million wrong ones", many.signed(g.once).text(), notForMe(""))
	rumor := g.rumor()
	rumor.tags = "[" + strings.Repeat(`[""],`, 120_000) + `["t"]]`
	g.text(rumorLayer, "120,001", rumor.signed(nil).text(), opens())
}

// Payloads over the limit: two megabytes against one.
func (g *generator) large() {
	for _, n := range []int{limit + 1, 2 << 20, 5 << 20} {
		payload := base64.StdEncoding.EncodeToString(append([]byte{2}, make([]byte, 33+6+paddedLen(n)+32-1)...))
		g.add(fmt.Sprintf("wrap, a payload for %d bytes", n), g.carrying(wrapLayer, payload), tooLarge(nip59.LayerWrap))
	}
	// The longest rumor whose seal fits a wrap, and one byte more (nip59.MaxRumor).
	for n, a := range sorted(map[int]Answer{655360: opens(), 655361: tooLarge(nip59.LayerWrap)}) {
		rumor := g.rumor()
		rumor.content = quote(strings.Repeat("x", n-len(rumor.signed(nil).text())+len("ahoy")))
		g.add(fmt.Sprintf("rumor, %d bytes", n), g.around(rumorLayer, rumor.signed(nil).text()), a)
	}
	huge := strings.Repeat("A", 7<<20)
	g.add("wrap, 7 MiB of letters", g.carrying(wrapLayer, "Ag"+huge), tooLarge(nip59.LayerWrap))
	g.add("wrap, 7 MiB of another version", g.carrying(wrapLayer, huge), malformed(nip59.LayerWrap, nip44.ErrVersion))
	g.text(wrapLayer, "7 MiB in an unknown key", insert(g.good(wrapLayer), `"x":`+quote(huge)), opens())
	g.text(wrapLayer, "7 MiB as a key", insert(g.good(wrapLayer), quote(huge)+":0"), opens())
	g.text(wrapLayer, "7 MiB of white space", insert(g.good(wrapLayer), strings.Repeat(" ", 7<<20)+`"x":0`), opens())
}

// Wraps that hold an event without a seal: nothing to Unwrap, whatever it is.
func (g *generator) singleLayer() {
	text := g.inner().signed(g.alice).text()
	for n := range text {
		g.sweep(fmt.Sprintf("JSON, %d of %d bytes", n, len(text)), func() []byte { return g.wrapAround(text[:n]) })
	}
	for bit := range 8 * len(text) {
		g.sweep(fmt.Sprintf("byte %d, bit %d", bit/8, bit%8), func() []byte {
			flipped := bytes.Clone(text)
			flipped[bit/8] ^= 1 << (bit % 8)
			return g.wrapAround(flipped)
		})
	}
	add := func(name string, text []byte, single Answer) {
		if !single.Opens {
			single.Layer = nip59.LayerInner
		}
		g.emit(Input{Kind: g.kind, Name: name, Line: g.wrapAround(text), Answer: malformed(nip59.LayerSeal, nip59.ErrKind), Single: &single})
	}
	add("a note", text, opens())
	for _, kind := range []string{"0", "12", "14", "1058", "1060", "65535"} {
		t := g.inner()
		t.kind = kind
		add("kind "+kind, t.signed(g.alice).text(), opens())
	}
	for _, kind := range []string{"1059", "21059"} {
		t := g.inner()
		t.kind = kind
		add("kind "+kind, t.signed(g.alice).text(), bad(nip59.ErrKind))
	}
	add("a wrap", g.good(wrapLayer), bad(nip59.ErrKind))
	add("unsigned", g.inner().signed(nil).text(), bad(event.ErrMissingKey))
	for _, blank := range []string{"null", `""`} {
		t := g.inner()
		t.sig = blank
		add("a signature of "+blank, t.signed(nil).text(), bad(event.ErrMissingKey))
		t = g.inner().signed(g.alice)
		t.id = blank
		add("an id of "+blank, t.text(), bad(event.ErrMissingKey))
	}
	for _, key := range []string{"id", "pubkey", "created_at", "tags", "sig"} {
		add("no "+key, without(text, key), bad(event.ErrMissingKey))
	}
	t := g.inner().signed(g.alice)
	t.content = `"another"`
	add("changed after signing", t.text(), forged("", nip59.ErrInnerSignature, event.ErrID))
	t = g.inner().signed(g.mallory)
	add("another's signature", t.text(), forged("", nip59.ErrInnerSignature, event.ErrSignature))
	t.sig = quote(strings.Repeat("0", 128))
	add("zeros for a signature", t.text(), forged("", nip59.ErrInnerSignature, event.ErrSignature))
	for _, key := range offCurve {
		t := g.inner()
		t.pubkey = quote(key.hex)
		add("pubkey "+key.name, t.signed(g.mallory).text(), forged("", nip59.ErrInnerSignature, keys.ErrPublicKey))
	}
}
