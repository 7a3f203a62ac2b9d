import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';

const CPF_LENGTH = 11;
const CNPJ_LENGTH = 14;

/** A CPF or CNPJ as the API stores it: letters and digits, in upper case. */
export const taxIdOf = (text: string): string => text.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();

/** Formats as `529.982.247-25`, or with a letter or a 12th digit as `12.ABC.345/01DE-35`, while it is typed. */
export function formatTaxId(typed: string): string {
  const taxId = taxIdOf(typed).slice(0, CNPJ_LENGTH);
  return isCpfLike(taxId)
    ? group(taxId, [3, 6, 9], ['.', '.', '-'])
    : group(taxId, [2, 5, 8, 12], ['.', '.', '/', '-']);
}

const isCpfLike = (taxId: string): boolean => taxId.length <= CPF_LENGTH && /^\d*$/.test(taxId);

function group(taxId: string, ends: readonly number[], marks: readonly string[]): string {
  return [...taxId].map((character, at) => (marks[ends.indexOf(at)] ?? '') + character).join('');
}

/** True when the check digits are correct. */
export function isTaxId(text: string): boolean {
  const taxId = taxIdOf(text);
  return isCpfLike(taxId) ? isValidCpf(taxId) : isValidCnpj(taxId, { version: 2 });
}

/** True when it has the length of a CPF or a CNPJ. */
export function isTaxIdComplete(text: string): boolean {
  const taxId = taxIdOf(text);
  return taxId.length === (isCpfLike(taxId) ? CPF_LENGTH : CNPJ_LENGTH);
}
