package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sealwright/sealwright/protocol/nip59"
)

// layerLine is the layer of a failure that comes before the library, see
// CLI.md.
const layerLine = "line"

// A lineError is the error object of one line. It never holds a key, a payload
// or a decrypted text.
type lineError struct {
	File    string `json:"file"`
	Line    int64  `json:"line"`
	Class   string `json:"class"`
	Layer   string `json:"layer"`
	Message string `json:"message"`
}

// newLineError describes an error of packages event and nip59. layer is the
// one to name when the error names none.
func newLineError(err error, layer nip59.Layer) *lineError {
	e := &lineError{Class: string(nip59.Classify(err)), Layer: string(layer), Message: err.Error()}
	var own ownError
	if errors.As(err, &own) {
		e.Class = string(own.class)
	}
	var at *nip59.LayerError
	if errors.As(err, &at) {
		e.Layer, e.Message = string(at.Layer), at.Err.Error()
	}
	return e
}

// An ownError is an error of the tool's own about a line, and its class.
type ownError struct {
	class nip59.Class
	error
}

func malformed(err error) error { return ownError{nip59.ClassMalformed, err} }

// newTooLong describes a line of more than max bytes.
func newTooLong(length, max int64) *lineError {
	return &lineError{Class: string(nip59.ClassTooLarge), Layer: layerLine,
		Message: fmt.Sprintf("line of %d bytes is longer than --max-line, %d bytes", length, max)}
}

// appendJSON appends the object as one line.
func (e *lineError) appendJSON(dst []byte) []byte { return appendJSONLine(dst, e) }

// appendJSONLine appends v, which must be a value that marshals, as one line.
// Characters stay as they are, also those that HTML would want escaped.
func appendJSONLine(dst []byte, v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return append(dst, b.Bytes()...)
}
