#!/bin/bash -eu
# The build step of an OSS-Fuzz project for Go (base image base-builder-go,
# FUZZING_LANGUAGE=go): every target of this module, and its seeds. $OUT and
# compile_native_go_fuzzer come from the image. The targets of the module above
# rest on test helpers that its builder does not see; those here cover the same
# packages.
cd "$(dirname "$0")/.."

# The list first: building renames the files of the targets.
targets=$(go run ./run -list -run '^fuzz_')
go run ./seeds "$OUT"
go get github.com/AdamKorcz/go-118-fuzz-build/testing@v0.0.0-20250520111509-a70c2aa677fa
while read -r _ package function name; do
	compile_native_go_fuzzer "$package" "$function" "$name"
done <<<"$targets"
