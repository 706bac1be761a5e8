package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Three lines as in sign_verify.txtar: the example of NIP-13, the same with another
// content, so that its id is no longer the hash, and with another signature.
var (
	soundEvent  = `{"id":"000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358","pubkey":"a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243","created_at":1651794653,"kind":1,"tags":[["nonce","776797","20"]],"content":"It's just me mining my own business","sig":"284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977"}`
	wrongID     = strings.Replace(soundEvent, "just", "only", 1)
	wrongSig    = strings.Replace(soundEvent, `"sig":"2846`, `"sig":"2847`, 1)
	idMessage   = "event: id is not the hash of the event"
	sigMessage  = "bip340: invalid signature"
	jsonMessage = "event: not valid JSON (byte 0)"
)

// The lines of many chunks, good and bad mixed anyhow: the sound ones come out in input
// order, each told by the spaces before it, and the others are told in input order.
func TestVerifyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 13))
	var in, sound bytes.Buffer
	var refused []lineError
	const lines = 3000
	for i := int64(1); i <= lines; i++ {
		refuse := func(class, layer, message string) {
			refused = append(refused, lineError{"events.jsonl", i, class, layer, message})
		}
		indent := strings.Repeat(" ", int(i%97))
		// A run of 700 sound lines, one of as many forged ones, then a mixture.
		kind := r.IntN(6)
		if i <= 700 {
			kind = 0
		} else if i <= 1400 {
			kind = 2
		}
		switch kind {
		case 0:
			fmt.Fprintf(io.MultiWriter(&in, &sound), "%s%s\n", indent, soundEvent)
		case 1:
			fmt.Fprintf(&in, "%s%s\n", indent, wrongID)
			refuse("forged", "event", idMessage)
		case 2:
			fmt.Fprintf(&in, "%s%s\n", indent, wrongSig)
			refuse("forged", "event", sigMessage)
		case 3:
			in.WriteString("hello\n")
			refuse("malformed", "event", jsonMessage)
		case 4:
			in.WriteString(strings.Repeat("x", 1025) + "\n")
			refuse("too_large", "line", "line of 1025 bytes is longer than --max-line, 1024 bytes")
		case 5:
			in.WriteString("\n")
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), in.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	stdout, stderr := runTool(t, 2, "verify", "--max-line", "1KiB", "events.jsonl")
	if !bytes.Equal(stdout.Bytes(), sound.Bytes()) {
		t.Error("not the sound events in input order")
	}
	dec := json.NewDecoder(stderr)
	for _, want := range refused {
		var got lineError
		if err := dec.Decode(&got); err != nil || got != want {
			t.Fatalf("%+v, %v; want %+v", got, err, want)
		}
	}
	if err := dec.Decode(new(lineError)); err != io.EOF {
		t.Errorf("more errors than refused lines: %v", err)
	}
}

// A pipe on which one line is typed after the other: each is answered before the next
// one is there.
func TestVerifySlowPipe(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sealwright", "verify")
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	stderr, err3 := cmd.StderrPipe()
	if err := errors.Join(err1, err2, err3, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	sound, refused := bufio.NewReader(stdout), bufio.NewReader(stderr)
	for i, c := range []struct{ line, message string }{
		{soundEvent, ""}, {wrongID, idMessage}, {"hello", jsonMessage}, {soundEvent, ""}, {wrongSig, sigMessage},
	} {
		io.WriteString(stdin, c.line+"\n")
		from, want := sound, c.line+"\n"
		if c.message != "" {
			from, want = refused, fmt.Sprintf(`,"message":"%s"}`+"\n", c.message)
		}
		if got, err := from.ReadString('\n'); err != nil || !strings.HasSuffix(got, want) {
			t.Fatalf("line %d while the pipe is open: %q, %v; want %q", i+1, got, err, want)
		}
	}
	stdin.Close()
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 2 {
		t.Error(err)
	}
}

// When the context has ended, no line gets an answer that was not found: neither a
// result nor an error.
func TestVerifyCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	lines := []line{{text: []byte(soundEvent)}, {text: []byte(wrongSig)}, {text: []byte("hello")}}
	verifyLines(ctx, lines)
	for i, ln := range lines {
		if ln.out != nil || ln.err != nil {
			t.Errorf("line %d: %q, %v", i+1, ln.out, ln.err)
		}
	}
}
