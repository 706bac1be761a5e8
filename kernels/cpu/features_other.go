//go:build !amd64 && !arm64

package cpu

// features returns nothing: only amd64 and arm64 have more than one tier.
func features() []Feature { return nil }
