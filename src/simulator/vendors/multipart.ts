export interface Part {
  readonly headers: string;
  readonly content: Buffer;
}

/** The parts of a multipart form (RFC 7578), whose bytes the text has as Latin-1. */
export function partsOf(contentType: string, body: string): Part[] {
  const [, boundary] = /boundary="?([^";]+)"?/.exec(contentType) ?? [];
  if (boundary === undefined) return [];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const end = part.indexOf('\r\n\r\n');
      const content = Buffer.from(part.slice(end + 4, -2), 'latin1');
      return { headers: part.slice(0, end), content };
    });
}
