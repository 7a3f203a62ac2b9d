/** Longest part of an address that is made from a name. */
const MAX_SLUG = 60;
const ACCENTS = /\p{Mark}/gu;

/** A name as an address has it: small letters and digits, single hyphens between; empty where nothing of it can be read so. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(ACCENTS, '').toLowerCase();
  return trimmed(plain.replaceAll(/[^a-z0-9]+/g, '-'))
    .slice(0, MAX_SLUG)
    .replace(/-$/, '');
}

function trimmed(slug: string): string {
  return slug.replace(/^-/, '').replace(/-$/, '');
}

/**
 * Addresses to try for something of that name, in this order: its slug, and with more and more of `added` where others
 * have that. `added` is random; alone, behind `prefix`, it stands for a name of which nothing can be read.
 */
export function slugChoices(name: string, added: string, prefix = ''): string[] {
  const slug = slugOf(name);
  return slug === '' ? [`${prefix}${added}`] : [slug, `${slug}-${added.slice(0, 8)}`, `${slug}-${added}`];
}
