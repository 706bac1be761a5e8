package main

import (
	"errors"
	"strconv"
	"strings"
)

// byteSize is a flag value: a number of bytes, or of KiB, MiB or GiB, from
// 1 byte to 1 GiB.
type byteSize int64

const maxByteSize = 1 << 30

var byteUnits = []struct {
	suffix string
	bytes  int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

func (b *byteSize) Set(s string) error {
	unit := int64(1)
	for _, u := range byteUnits {
		if digits, ok := strings.CutSuffix(s, u.suffix); ok {
			s, unit = digits, u.bytes
			break
		}
	}
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || n == 0 || int64(n) > maxByteSize/unit {
		return errors.New("want a number of bytes, or of KiB, MiB or GiB, up to 1GiB")
	}
	*b = byteSize(int64(n) * unit)
	return nil
}

func (b *byteSize) String() string {
	for _, u := range byteUnits {
		if *b >= byteSize(u.bytes) && int64(*b)%u.bytes == 0 {
			return strconv.FormatInt(int64(*b)/u.bytes, 10) + u.suffix
		}
	}
	return strconv.FormatInt(int64(*b), 10)
}

func (*byteSize) Type() string { return "SIZE" }
