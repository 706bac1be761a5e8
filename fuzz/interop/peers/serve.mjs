// What the scripts share: one request a line on standard input, one answer a
// line on standard output, until the input ends.
//
//   {"op": "encrypt", "args": ["…", "…"]}   →   {"result": "…"} or {"error": "…"}
//
// Arguments and results are strings. Events travel as JSON texts inside them,
// so that the library under test reads and writes their JSON itself.

import { readFileSync } from 'node:fs';

// version of a package, as installed beside this script.
const version = (name) =>
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

// serve answers with the functions of operations. What one throws is a refusal
// by the library, the answer "error"; an operation that is not there ends the
// process, so that no test can take it for one.
export async function serve(packageName, operations) {
  const all = { version: () => version(packageName), ...operations };
  const answer = async (line) => {
    const { op, args } = JSON.parse(line);
    if (!Object.hasOwn(all, op)) throw new Error('no operation ' + op);
    try {
      return { result: String(await all[op](...args)) };
    } catch (error) {
      return { error: String(error?.message ?? error) || 'refused without a word' };
    }
  };

  // Lines are split by hand: readline would also split at U+2028 and U+2029.
  let left = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    left = Buffer.concat([left, chunk]);
    for (let end; (end = left.indexOf(10)) >= 0; left = left.subarray(end + 1)) {
      process.stdout.write(JSON.stringify(await answer(left.toString('utf8', 0, end))) + '\n');
    }
  }
}
