/** A person's CPF or a company's CNPJ, without punctuation. */
export interface Document {
  readonly value: string;
  readonly type: DocumentType;
}
export type DocumentType = 'individual' | 'corporation';

const CPF = /^\d{11}$/;
/** Alphanumeric since 2026 (Receita Federal, IN RFB 2.229/2024); the check digits are still digits. */
const CNPJ = /^[0-9A-Z]{12}\d{2}$/;
const PUNCTUATION = /[.\-/\s]/g;

/** The error message for a text that `parseDocument` rejects. */
export const DOCUMENT_RULE = 'must be a CPF (11 digits) or a CNPJ (14 characters)';

/**
 * Parses a tax id by its format and strips punctuation; null if it has neither format. The web form and the gateway
 * check the check digits.
 */
export function parseDocument(text: string): Document | null {
  const value = withoutPunctuation(text);
  if (CPF.test(value)) return { value, type: 'individual' };
  if (CNPJ.test(value)) return { value, type: 'corporation' };
  return null;
}

export function withoutPunctuation(text: string): string {
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
