import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import { digitsOf } from './card-number';

const CPF_LENGTH = 11;
const CNPJ_LENGTH = 14;

/** `529.982.247-25`, and from the 12th digit on `11.222.333/0001-81`, as far as it is typed. */
export function formatTaxId(typed: string): string {
  const digits = digitsOf(typed).slice(0, CNPJ_LENGTH);
  return digits.length <= CPF_LENGTH
    ? group(digits, [3, 6, 9], ['.', '.', '-'])
    : group(digits, [2, 5, 8, 12], ['.', '.', '/', '-']);
}

function group(digits: string, ends: readonly number[], marks: readonly string[]): string {
  return [...digits].map((digit, at) => (marks[ends.indexOf(at)] ?? '') + digit).join('');
}

/** Its check digits are right. */
export function isTaxId(text: string): boolean {
  const digits = digitsOf(text);
  return digits.length === CPF_LENGTH ? isValidCpf(digits) : isValidCnpj(digits);
}

/** Long enough for one of the two. */
export function isTaxIdComplete(text: string): boolean {
  return [CPF_LENGTH, CNPJ_LENGTH].includes(digitsOf(text).length);
}
