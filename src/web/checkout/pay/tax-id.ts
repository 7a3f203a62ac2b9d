import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import { digitsOf } from './card-number';

const CPF_LENGTH = 11;
const CNPJ_LENGTH = 14;

/** Formats as `529.982.247-25`, or from the 12th digit as `11.222.333/0001-81`, while it is typed. */
export function formatTaxId(typed: string): string {
  const digits = digitsOf(typed).slice(0, CNPJ_LENGTH);
  return digits.length <= CPF_LENGTH
    ? group(digits, [3, 6, 9], ['.', '.', '-'])
    : group(digits, [2, 5, 8, 12], ['.', '.', '/', '-']);
}

function group(digits: string, ends: readonly number[], marks: readonly string[]): string {
  return [...digits].map((digit, at) => (marks[ends.indexOf(at)] ?? '') + digit).join('');
}

/** True when the check digits are correct. */
export function isTaxId(text: string): boolean {
  const digits = digitsOf(text);
  return digits.length === CPF_LENGTH ? isValidCpf(digits) : isValidCnpj(digits);
}

/** True when it has the length of a CPF or a CNPJ. */
export function isTaxIdComplete(text: string): boolean {
  return [CPF_LENGTH, CNPJ_LENGTH].includes(digitsOf(text).length);
}
