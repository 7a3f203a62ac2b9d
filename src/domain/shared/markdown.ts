/** Longer than a gateway's message should be; the Temporal UI shows it in one line. */
const MAX_LENGTH = 300;

/**
 * A text from outside (a gateway's message, a merchant's order id, a receiver's answer) as plain text within a line of
 * Markdown, such as the Temporal UI shows: it can be no heading, link, image or HTML, nor start a line of its own.
 */
export function escapeMarkdown(text: string): string {
  const line = text.replace(CONTROL_CHARACTERS, ' ').trim();
  const cut = line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
  return cut
    .replace(/[\\`*_[\]<>&|~]/g, String.raw`\$&`)
    .replace(/^(?:[#+-]|\d+(?=[.)]))/, (start) => (/^\d/.test(start) ? `${start}\\` : `\\${start}`));
}

/** Line breaks included, and the characters that reverse the direction of writing. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu;
