/** A person's CPF or a company's CNPJ, without punctuation, in upper case. */
export interface Document {
  readonly value: string;
  readonly type: DocumentType;
}
export type DocumentType = 'individual' | 'corporation';

const CPF = /^\d{11}$/;
/** Alphanumeric since July 2026 (Receita Federal, IN RFB 2.229/2024); the check digits are still digits. */
const CNPJ = /^[0-9A-Za-z]{12}\d{2}$/;
const LETTER = /[A-Z]/;
const PUNCTUATION = /[.\-/\s]/g;

/** The error message for a text that `parseCnpj` rejects. */
export const CNPJ_RULE = 'must be a CNPJ (12 letters or digits and 2 check digits)';
/** The error message for a text that `parseDocument` rejects. */
export const DOCUMENT_RULE = 'must be a CPF (11 digits) or a CNPJ (12 letters or digits and 2 check digits)';

/** Parses a tax id, with or without punctuation and in either case; null if it is neither a CPF nor a CNPJ. */
export function parseDocument(text: string): Document | null {
  const cpf = withoutPunctuation(text);
  if (CPF.test(cpf)) return { value: cpf, type: 'individual' };
  const cnpj = parseCnpj(text);
  return cnpj === null ? null : { value: cnpj, type: 'corporation' };
}

/**
 * A CNPJ without punctuation, in upper case; null if the text is none. Check digits are verified only with letters, where
 * they tell a CNPJ from any other code; for digits alone, the web form and the gateway verify them.
 */
export function parseCnpj(text: string): string | null {
  const stripped = withoutPunctuation(text);
  if (!CNPJ.test(stripped)) return null;
  const value = stripped.toUpperCase();
  return LETTER.test(value) && !hasRightCheckDigits(value) ? null : value;
}

/** A tax id as `parseDocument` returns it; a text that is none stays as it is. */
export function canonicalDocument(text: string): string {
  return parseDocument(text)?.value ?? text;
}

/** Each check digit is computed from the characters before it, modulo 11, with letters counting by their ASCII code. */
function hasRightCheckDigits(cnpj: string): boolean {
  return [12, 13].every((place) => {
    const sum = [...cnpj.slice(0, place)].reduceRight(
      (total, character, index) => total + (character.charCodeAt(0) - 48) * (2 + ((place - 1 - index) % 8)),
      0,
    );
    const remainder = sum % 11;
    return Number(cnpj[place]) === (remainder < 2 ? 0 : 11 - remainder);
  });
}

function withoutPunctuation(text: string): string {
  return text.replace(PUNCTUATION, '');
}

/** The type of a document that `parseDocument` returned. */
export function documentType(value: string): DocumentType {
  return value.length === 11 ? 'individual' : 'corporation';
}

/** Masks like Brazilian receipts: `***.456.789-**`, `**.345.678/0001-**`. */
export function maskDocument(value: string): string {
  if (documentType(value) === 'individual') return `***.${value.slice(3, 6)}.${value.slice(6, 9)}-**`;
  return `**.${value.slice(2, 5)}.${value.slice(5, 8)}/${value.slice(8, 12)}-**`;
}
