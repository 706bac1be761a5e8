// Package bench measures Sealwright beside its peers: the same work on the same
// inputs, by every implementation that can do it. What is published is a ratio; the
// nanoseconds are those of a machine. Implementations in Go run in turn in one series
// of processes, so that what disturbs one disturbs the others. Those in JavaScript and
// Java run in series of their own, at another time: a ratio with them has the noise of
// two runs, and the report says so beside it.
//
// The benchmarks are in the test files, one file for the rows of a layer and one
// for each implementation. Names are Benchmark<Row>/<parameters>/impl=<name>, so
// that benchstat -col /impl compares. sealwright runs with the best tier of every
// kernel that the machine has, portable with none.
//
// Before it is timed, each implementation has to give or accept the right answer,
// by the judgement of another one.
package bench
