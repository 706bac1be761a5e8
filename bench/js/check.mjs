// How the answers of an implementation are judged. All throw.

// same wants two primitive values to be the same.
export function same(got, want) {
  if (got !== want) throw new Error(`${String(got).slice(0, 64)}, not ${String(want).slice(0, 64)}`);
}

// refused wants f to throw an error whose text has reason in it, so that a fault
// of another kind is not taken for a refusal.
export async function refused(f, reason) {
  let result;
  try {
    result = await f();
  } catch (error) {
    if (String(error?.message ?? error).includes(reason)) return;
    throw error;
  }
  throw new Error(`takes what was changed: ${String(result).slice(0, 64)}`);
}

// forge gives the first of some events the signature of the second.
export const forge = (texts) => JSON.stringify({ ...JSON.parse(texts[0]), sig: JSON.parse(texts[1]).sig });
