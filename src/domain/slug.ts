/** Longest part of an address that is made from a name. */
const MAX_SLUG = 60;
const ACCENTS = /\p{Mark}/gu;

/** A name as an address has it: small letters and digits, single hyphens between; empty where nothing of it can be read so. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(ACCENTS, '').toLowerCase();
  return trimmed(plain.replaceAll(/[^a-z0-9]+/g, '-'))
    .slice(0, MAX_SLUG)
    .replace(/-$/, '');
}

function trimmed(slug: string): string {
  return slug.replace(/^-/, '').replace(/-$/, '');
}
