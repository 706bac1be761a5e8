package main

import (
	"bytes"
	"encoding/json"
	"errors"

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
	var own malformed
	if errors.As(err, &own) {
		e.Class = string(nip59.ClassMalformed)
	}
	var at *nip59.LayerError
	if errors.As(err, &at) {
		e.Layer, e.Message = string(at.Layer), at.Err.Error()
	}
	return e
}

// malformed is an error of the tool's own about a line's text.
type malformed struct{ error }

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
