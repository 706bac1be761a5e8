//go:build !unix

package main

// ignoreBrokenPipe has nothing to do where there is no SIGPIPE.
func ignoreBrokenPipe() {}
