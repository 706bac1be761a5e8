package cpu

import "golang.org/x/sys/cpu"

// features returns what tiers of this architecture may need.
func features() []Feature {
	return []Feature{
		{"asimd", cpu.ARM64.HasASIMD},
		{"sha2", cpu.ARM64.HasSHA2},
	}
}
