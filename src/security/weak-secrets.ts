/** A random secret has at least 3 bits per byte in every common spelling, decimal digits included. */
const MIN_BITS_PER_BYTE = 2.5;
/** The part of the steps from byte to byte that may be the same, as in "abcdef" or in zeros. */
const MAX_EQUAL_STEPS = 0.5;

/** A secret as its setting spells it and as the bytes that this may stand for, so that another spelling hides nothing. */
export function spellingsOf(text: string): Buffer[] {
  const hex = /^(?:[0-9a-f]{2})+$/i.test(text) ? [Buffer.from(text, 'hex')] : [];
  return [Buffer.from(text), Buffer.from(text, 'base64'), ...hex];
}

/** Whether one of the secrets that everybody can read is this one or a part of it. */
export function isKnownSecret(spellings: readonly Buffer[], known: readonly Buffer[]): boolean {
  return spellings.some((bytes) => known.some((publicBytes) => bytes.includes(publicBytes)));
}

/** Why a secret can be guessed, as text for whoever set it; null if nothing is found. Random bytes are never found weak. */
export function findWeakness(secret: Uint8Array): string | null {
  if (repeats(secret)) return 'repeats itself';
  if (mostFrequentStep(secret) > MAX_EQUAL_STEPS) return 'is a sequence';
  if (bitsPerByte(secret) < MIN_BITS_PER_BYTE) return 'has too few different characters';
  return null;
}

/** Whether it is one block written twice or more, the last time perhaps cut. */
function repeats(bytes: Uint8Array): boolean {
  for (let period = 1; period <= bytes.length / 2; period += 1) {
    if (bytes.every((byte, index) => byte === bytes[index % period])) return true;
  }
  return false;
}

/** Share of the most frequent difference between neighbours. */
function mostFrequentStep(bytes: Uint8Array): number {
  const steps = bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0));
  return Math.max(...countsOf(steps)) / Math.max(steps.length, 1);
}

/** Shannon entropy of the bytes' frequencies. */
function bitsPerByte(bytes: Uint8Array): number {
  return countsOf(bytes).reduce((bits, count) => {
    const share = count / bytes.length;
    return bits - share * Math.log2(share);
  }, 0);
}

function countsOf(bytes: Uint8Array): number[] {
  const counts = new Map<number, number>();
  for (const byte of bytes) counts.set(byte, (counts.get(byte) ?? 0) + 1);
  return [...counts.values()];
}
