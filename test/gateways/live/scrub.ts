const HIDDEN = '…';
/** Names of fields whose values are secrets. */
const SECRET_NAME =
  /secret|token|password|authorization|api_?key|cvv|cvc|security_?code|ccv|card_?number|^number$|encrypted/i;
/** Keys of vendors, and numbers of cards. */
const SECRET_TEXT =
  /\b(?:[prs]k|whsec)_\w+|\$aact_\w+|\b(?:TEST|APP_USR)-[\w-]+|\b(?:\d[ -]?){13,19}\b|\bBasic [\w+/=]+|\bBearer \S+/g;

/** An answer without secrets and card data, to be kept. A boleto's line and barcode and a pix code stay: they are of a test environment. */
export function scrubbed(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, scrubbed(inner, key)]));
  }
  const isText = typeof value === 'string' || typeof value === 'number';
  if (isText && SECRET_NAME.test(name)) return HIDDEN;
  if (typeof value !== 'string' || PUBLIC_NAME.test(name)) return value;
  return value.replaceAll(SECRET_TEXT, HIDDEN);
}

/** Codes with long numbers that are no card's. */
const PUBLIC_NAME =
  /^(?:line|barcode|bar_?code|qr_?code(?:_?(?:string|data))?|pix_?copia_?e_?cola|payload|identification_?field|nosso_?numero)$/i;

/** Longer texts are cut. */
const MAX_TEXT = 10_000;

/** The text of a request or an answer: JSON and forms as objects. */
export function scrubbedText(text: string): unknown {
  try {
    return scrubbed(JSON.parse(text) as unknown);
  } catch {
    return /^[\w.[\]%]+=/.test(text) ? scrubbedForm(text) : scrubbed(text.slice(0, MAX_TEXT));
  }
}

function scrubbedForm(text: string): unknown {
  const entries = [...new URLSearchParams(text)].map(([name, value]) => {
    const [last = name] = /[^[\]]+(?=\]*$)/.exec(name) ?? [];
    return [name, scrubbed(value, last)] as const;
  });
  return Object.fromEntries(entries);
}
