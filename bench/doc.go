// Package bench measures Sealwright beside its peers: the same work on the same
// inputs, in one run, by every implementation that can do it. What is published
// is the ratio of two rows of one run; the nanoseconds are those of a machine.
//
// The benchmarks are in the test files, one file for the rows of a layer and one
// for each implementation. Names are Benchmark<Row>/<parameters>/impl=<name>, so
// that benchstat -col /impl compares. sealwright runs with the best tier of every
// kernel that the machine has, portable with none.
//
// Before it is timed, each implementation has to give or accept the right answer,
// by the judgement of another one.
package bench
