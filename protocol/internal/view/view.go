// Package view looks at a string as bytes and at bytes as a string, without a
// copy.
package view

import "unsafe"

// Bytes returns the bytes of s, which nobody may change.
func Bytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// String returns b as a string, for bytes that nobody else holds or changes.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
