package interop

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sealwright/sealwright/internal/testkit"
)

// peer is another implementation. Keys are lower-case hexadecimal. Events and
// rumors are JSON texts, which the peer reads and writes itself.
//
// An error is what the peer said when it refused. A test that expects one
// names its text, so that a peer that broke down is not taken for one that
// refused.
type peer interface {
	// version of the peer that runs, as its package says.
	version() (string, error)
	encrypt(secret, to, text string) (payload string, err error)
	decrypt(secret, from, payload string) (text string, err error)
	// wrap seals a rumor that has no id yet and wraps the seal.
	wrap(secret, to, rumor string) (wrap string, err error)
	unwrap(secret, wrap string) (rumor string, err error)
	// sign completes an event that has its author but neither id nor signature.
	sign(secret, event string) (signed string, err error)
	// verify checks id and signature, and writes the event that it read.
	verify(event string) (again string, err error)
}

// node is a peer in a process of Node, which peers/serve.mjs describes.
type node struct {
	in  *json.Encoder
	out *bufio.Reader
}

// startNode runs peers/NAME.mjs until the test ends. The script needs the
// package pkg beside it.
func startNode(t *testing.T, name, pkg string) peer {
	t.Helper()
	program, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join("peers", "node_modules", filepath.FromSlash(pkg)))
	}
	if err != nil {
		const form = "%s is not compared with: %v (it needs Node 20.19 or newer, and npm ci in fuzz/interop/peers)"
		if testkit.Required("interop") {
			t.Fatalf(form, name, err)
		}
		t.Skipf(form, name, err)
	}

	cmd := exec.Command(program, name+".mjs")
	cmd.Dir = "peers"
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
			t.Errorf("%s: %d bytes that nobody asked for, %v", name, len(rest), err)
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
	return &node{json.NewEncoder(in), bufio.NewReader(out)}
}

func (n *node) call(op string, args ...string) (string, error) {
	if args == nil {
		args = []string{}
	}
	if err := n.in.Encode(map[string]any{"op": op, "args": args}); err != nil {
		return "", fmt.Errorf("interop: the peer has ended: %w", err)
	}
	line, err := n.out.ReadBytes('\n')
	if err != nil {
		return "", fmt.Errorf("interop: the peer has ended: %w", err)
	}
	var answer struct{ Result, Error *string }
	if err := json.Unmarshal(line, &answer); err != nil {
		return "", fmt.Errorf("interop: the peer's answer: %w", err)
	}
	switch {
	case answer.Error != nil:
		return "", errors.New(*answer.Error)
	case answer.Result == nil:
		return "", errors.New("interop: the peer's answer is empty")
	}
	return *answer.Result, nil
}

func (n *node) version() (string, error) { return n.call("version") }

func (n *node) encrypt(secret, to, text string) (string, error) {
	return n.call("encrypt", secret, to, text)
}

func (n *node) decrypt(secret, from, payload string) (string, error) {
	return n.call("decrypt", secret, from, payload)
}

func (n *node) wrap(secret, to, rumor string) (string, error) {
	return n.call("wrap", secret, to, rumor)
}

func (n *node) unwrap(secret, wrap string) (string, error) { return n.call("unwrap", secret, wrap) }
func (n *node) sign(secret, event string) (string, error)  { return n.call("sign", secret, event) }
func (n *node) verify(event string) (string, error)        { return n.call("verify", event) }
