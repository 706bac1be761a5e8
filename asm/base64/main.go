// Base64 generates kernels/base64.
package main

import (
	"github.com/sealwright/sealwright/asm/emit"
)

func main() {
	emit.Main("base64", func(g *emit.Generator) {
		encodeAVX2(g)
		decodeAVX2(g)
		encodeAVX512(g)
		decodeAVX512(g)
	}, encodeNEON, decodeNEON)
}

// The alphabet of RFC 4648, table 1.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
