const MAX_WORDS = 300;
const MAX_READ = 1_000;
/** Keys, tokens and other ids, e-mail addresses, and digits that may be of a card or a document. */
const SECRETS =
  /\b(?:[prs]k|whsec)_\S+|\$aact_\S+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[a-z]{2,}_[\w*]*(?:\d|\*)[\w*]*|\S+@\S+|\d(?:[ .-]?\d){3,}/gi;

/** A vendor's sentence without what it may repeat of the request; empty if nothing is left. */
export function vendorWords(words: string | null | undefined): string {
  return (words ?? '').slice(0, MAX_READ).replaceAll(SECRETS, '…').slice(0, MAX_WORDS).trim();
}
