// Package base64 builds the functions of kernels/base64.
package base64

import "github.com/sealwright/sealwright/asm/emit"

// AMD64 builds the functions for amd64.
func AMD64(g *emit.Generator) {
	encodeAVX2(g)
	decodeAVX2(g)
	encodeAVX512(g)
	decodeAVX512(g)
}

// ARM64 builds the functions for arm64.
func ARM64(g *emit.ARM64) {
	encodeNEON(g)
	decodeNEON(g)
}

// The alphabet of RFC 4648, table 1.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
