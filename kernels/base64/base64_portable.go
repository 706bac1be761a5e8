//go:build (!amd64 && !arm64) || !gc || purego

package base64

import "github.com/sealwright/sealwright/fallback/base64"

// encode writes the base64 of src to dst, which is as long as that.
func encode(dst, src []byte) { base64.Encode(dst, src) }

// decode writes what src encodes to dst, which is as long as that.
func decode(dst, src []byte) bool {
	_, ok := base64.Decode(dst, src)
	return ok
}
