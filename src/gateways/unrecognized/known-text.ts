import { KNOWN_WORDS } from './known-words';

const MAX_TEXT = 2_000;
const MAX_WORDS = 60;
/** Stands for any number of words that are not kept. */
const LEFT_OUT = '*';

/** The known words of a text in their order, in lower case. */
export function knownWords(text: string): string {
  const words = text
    .slice(0, MAX_TEXT)
    .split(/[^\p{L}\p{N}@._+-]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
    .map((word) => word.replace(/[.]+$/, '').toLowerCase())
    .map((word) => (KNOWN_WORDS.has(word) ? word : LEFT_OUT));
  return words.filter((word, index) => word !== LEFT_OUT || words[index - 1] !== LEFT_OUT).join(' ');
}
