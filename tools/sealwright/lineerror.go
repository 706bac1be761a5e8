package main

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/sealwright/sealwright/protocol/event"
	"github.com/sealwright/sealwright/protocol/nip44"
	"github.com/sealwright/sealwright/protocol/nip59"
)

// The layers of failures that are at none of package nip59's, see CLI.md.
const (
	layerLine    nip59.Layer = "line" // before the library
	layerEvent   nip59.Layer = "event"
	layerPayload nip59.Layer = "payload"
)

// A lineError is the error object of one line. It never holds a key, a payload
// or a decrypted text.
type lineError struct {
	File    string `json:"file"`
	Line    int64  `json:"line"`
	Class   string `json:"class"`
	Layer   string `json:"layer"`
	Message string `json:"message"`
}

// newLineError describes an error of the library, or of a NIP-19 string. layer
// is the one to name when the error names none.
func newLineError(err error, layer nip59.Layer) *lineError {
	e := &lineError{Class: string(classify(err)), Layer: string(layer), Message: err.Error()}
	var at *nip59.LayerError
	if errors.As(err, &at) {
		e.Layer, e.Message = string(at.Layer), at.Err.Error()
	}
	return e
}

// classify extends nip59's classes to what comes from other calls than its own.
func classify(err error) nip59.Class {
	for _, c := range classes {
		if errors.Is(err, c.cause) {
			return c.class
		}
	}
	return nip59.Classify(err)
}

var classes = []struct {
	cause error
	class nip59.Class
}{
	{event.ErrID, nip59.ClassForged},
	{event.ErrSignature, nip59.ClassForged},
	{event.ErrWrongKey, nip59.ClassForged},
	{nip44.ErrEmpty, nip59.ClassMalformed},
	{errNIP19, nip59.ClassMalformed},
	{errSecretText, nip59.ClassMalformed},
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
