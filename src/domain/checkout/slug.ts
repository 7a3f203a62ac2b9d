/** The maximum length of a slug made from a name. */
const MAX_SLUG = 60;
const ACCENTS = /\p{Mark}/gu;

/** Lower-case letters and digits with single hyphens; empty if the name has none. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(ACCENTS, '').toLowerCase();
  return trimHyphens(plain.replaceAll(/[^a-z0-9]+/g, '-'))
    .slice(0, MAX_SLUG)
    .replace(/-$/, '');
}

function trimHyphens(slug: string): string {
  return slug.replace(/^-/, '').replace(/-$/, '');
}

/**
 * Slugs to try in this order until one is free: the name's slug, then with a part and all of the random `suffix`. A name
 * without a slug gets `prefix` and `suffix`.
 */
export function slugCandidates(name: string, suffix: string, prefix = ''): string[] {
  const slug = slugOf(name);
  return slug === '' ? [`${prefix}${suffix}`] : [slug, `${slug}-${suffix.slice(0, 8)}`, `${slug}-${suffix}`];
}
