module github.com/sealwright/sealwright/asm

go 1.26.0

replace github.com/sealwright/sealwright => ../

require (
	github.com/mmcloughlin/avo v0.6.0
	github.com/sealwright/sealwright v0.0.0
)

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
