#!/bin/bash -eu
# The build step of an OSS-Fuzz project for Go (base image base-builder-go,
# FUZZING_LANGUAGE=go): every native target of the module and of fuzz/, and the
# seeds of those in fuzz/. $OUT and compile_native_go_fuzzer come from the image.
cd "$(dirname "$0")/.."

go run ./run -list | while read -r module package function name; do
	(cd "$module" && compile_native_go_fuzzer "$package" "$function" "$name")
done

go run ./seeds "$OUT"
