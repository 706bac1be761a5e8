// The rows of the protocol for the peers that run under Node, in the format of Go
// benchmarks, on the inputs that the Go side exports:
//
//   go test -run TestExportInputs -inputs FILE .     (in the folder bench)
//   node bench.mjs --inputs FILE [--quick] [--bench REGEXP]
//
// Before a row is timed, another implementation of the same run judges what came
// of it, or the Go side's answer does.

import { readFileSync } from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';

import nostrSDK from './nostr-sdk.mjs';
import nostrTools from './nostr-tools.mjs';
import nostrWasm from './nostr-wasm.mjs';

const { values: flags } = parseArgs({
  options: {
    inputs: { type: 'string' }, // the file that TestExportInputs wrote
    bench: { type: 'string', default: '' }, // run the benchmarks whose names match
    quick: { type: 'boolean', default: false }, // every row once, hardly warm
    count: { type: 'string' }, // samples a row
    benchtime: { type: 'string' }, // milliseconds a sample
    warmup: { type: 'string' }, // milliseconds before the first sample
  },
});
if (!flags.inputs) {
  console.error('usage: node bench.mjs --inputs FILE [--quick] [--bench REGEXP] [--count N] [--benchtime MS] [--warmup MS]');
  process.exit(2);
}
const number = (text, otherwise) => (text === undefined ? otherwise : Number(text));
const count = number(flags.count, flags.quick ? 1 : 30);
const benchtime = 1e6 * number(flags.benchtime, flags.quick ? 20 : 35);
const warmup = 1e6 * number(flags.warmup, flags.quick ? 20 : 500);
const wanted = new RegExp(flags.bench);

// The benchmarks: rows with what their names carry, as the Go side has them. The
// batches are loops here, so the largest of the Go side shows nothing new.
const lengths = [32, 1024, 64000].map((len) => ({ len }));
const keys = lengths.flatMap((p) => ['cached', 'derived'].map((key) => ({ ...p, key })));
const batches = [1, 10].map((n) => ({ n }));
const table = {
  Import: [{}],
  ConversationKey: [{}],
  Encrypt: keys,
  Decrypt: keys,
  Sign: [{}],
  Verify: [{}],
  Wrap: lengths,
  Unwrap: lengths,
  VerifyAll: batches,
  UnwrapAll: batches,
};

// A work is what a candidate's row returns for parameters that it can do:
//   inputs  how many inputs there are, 1 if absent
//   op      does what is timed on input i, and may return a promise
//   check   judges, with another implementation's judge, what the last op made of input i
//   events  how many there are in an op, 1 if absent: the time is that of one
//
// run does n ops and returns the nanoseconds. A promise is waited for only where
// there is one, since waiting takes time.
async function run(work, n) {
  const inputs = work.inputs ?? 1;
  const start = process.hrtime.bigint();
  for (let i = 0; i < n; i++) {
    const made = work.op(i % inputs);
    if (made instanceof Promise) await made;
  }
  return Number(process.hrtime.bigint() - start);
}

async function measure(name, work, judge) {
  let spent = 0;
  let ops = 0;
  for (const i of new Set([0, (work.inputs ?? 1) - 1])) {
    const start = process.hrtime.bigint();
    await work.op(i);
    spent += Number(process.hrtime.bigint() - start);
    ops++;
    try {
      await work.check(i, judge);
    } catch (error) {
      throw new Error(`${name}, input ${i}: ${error?.message ?? error}`, { cause: error });
    }
  }
  // Ever more ops at a time, until the code is warm; the last ones tell how many
  // make a sample.
  let perOp = spent / ops;
  for (let n = 1; spent < warmup; n *= 2) {
    const took = await run(work, n);
    perOp = took / n;
    spent += took;
  }
  const n = Math.max(1, Math.round(benchtime / perOp));
  for (let sample = 0; sample < count; sample++) {
    const ns = (await run(work, n)) / (n * (work.events ?? 1));
    console.log(`${name}\t${n}\t${ns.toFixed(1)} ns/op`);
  }
}

const version = (name) => JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;

const inputs = JSON.parse(readFileSync(flags.inputs, 'utf8'));
const tools = nostrTools(inputs);
const sdk = await nostrSDK(inputs);
const candidates = [tools, await nostrWasm(inputs), sdk];

console.log(`goos: ${process.platform}`);
console.log(`goarch: ${{ x64: 'amd64', ia32: '386' }[process.arch] ?? process.arch}`);
console.log('pkg: github.com/sealwright/sealwright/bench');
console.log(`cpu: ${os.cpus()[0].model.trim()}`);
console.log(`node: ${process.version}`);
for (const c of candidates) console.log(`${c.impl}: ${version(c.package)}`);

for (const [row, all] of Object.entries(table)) {
  for (const p of all) {
    for (const c of candidates) {
      const parts = Object.entries(p).map(([name, value]) => `${name}=${value}/`);
      const name = `Benchmark${row}/${parts.join('')}impl=${c.impl}`;
      if (!wanted.test(name)) continue;
      const work = c.rows[row]?.(p);
      if (work) await measure(name, work, c === tools ? sdk.judge : tools.judge);
    }
  }
}
