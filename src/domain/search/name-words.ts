/** Letters of a word by which it is found. Longer words are found by their beginning. */
const LONGEST = 10;
/** Shorter beginnings would find a large part of all customers. */
const SHORTEST_BEGINNING = 3;
const SHORTEST_WORD = 2;
/** Words of a name that are found, and of a search that count. */
const MAX_WORDS = 8;

const ACCENTS = /\p{Mark}/gu;
const BETWEEN_WORDS = /[^\p{Letter}]+/u;

/** The words of a name in lower case and without accents: `João d'Ávila` has `joao`, `avila`. */
export function nameWords(text: string): string[] {
  const words = text.normalize('NFKD').replaceAll(ACCENTS, '').toLowerCase().split(BETWEEN_WORDS);
  return [...new Set(words.filter(({ length }) => length >= SHORTEST_WORD))].slice(0, MAX_WORDS);
}

/** Everything by which a name is found: each word's beginnings of 3 to 10 letters, and words of two letters. */
export function nameBeginnings(name: string): string[] {
  const beginnings = nameWords(name).flatMap((word) => {
    const shortest = Math.min(word.length, SHORTEST_BEGINNING);
    const count = Math.min(word.length, LONGEST) - shortest + 1;
    return Array.from({ length: count }, (_, index) => word.slice(0, shortest + index));
  });
  return [...new Set(beginnings)];
}

/** The beginnings that the name of a customer has to have for this search, the longest first; none if it names nobody. */
export function searchedBeginnings(text: string): string[] {
  if (!/^[\p{Letter}\p{Mark}\s.'’-]+$/u.test(text)) return [];
  const beginnings = nameWords(text).map((word) => word.slice(0, LONGEST));
  return beginnings.sort((one, other) => other.length - one.length);
}

/** Whether a word of the name begins with each word of the search. Beyond what is hashed, the name itself decides. */
export function isNameFound(name: string, text: string): boolean {
  const words = nameWords(name);
  return nameWords(text).every((searched) => words.some((word) => word.startsWith(searched)));
}
