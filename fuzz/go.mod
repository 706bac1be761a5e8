module github.com/sealwright/sealwright/fuzz

go 1.26.0

replace github.com/sealwright/sealwright => ../

require (
	github.com/btcsuite/btcd/btcec/v2 v2.3.5
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.4.1
	github.com/go-json-experiment/json v1.27.2
	github.com/mailru/easyjson v0.7.7
	github.com/nbd-wtf/go-nostr v0.38.2
	github.com/sealwright/sealwright v0.0.0
	gitlab.com/yawning/secp256k1-voi v0.0.0-20230925100816-f2616030848b
	golang.org/x/crypto v0.59.0
)

require (
	github.com/btcsuite/btcd/chaincfg/chainhash v1.1.0 // indirect
	github.com/decred/dcrd/crypto/blake256 v1.1.0 // indirect
	github.com/gobwas/httphead v0.1.0 // indirect
	github.com/gobwas/pool v0.2.1 // indirect
	github.com/gobwas/ws v1.4.0 // indirect
	github.com/josharian/intern v1.0.0 // indirect
	github.com/puzpuzpuz/xsync/v3 v3.4.0 // indirect
	github.com/tidwall/gjson v1.17.3 // indirect
	github.com/tidwall/match v1.1.1 // indirect
	github.com/tidwall/pretty v1.2.1 // indirect
	gitlab.com/yawning/tuplehash v0.0.0-20230713102510-df83abbf9a02 // indirect
	golang.org/x/exp v0.0.0-20240909161429-701f63a606c0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
