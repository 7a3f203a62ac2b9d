import type { Request } from 'express';
import type { ContractRoute } from './contract';
import type { BrokenRule } from './validation-messages';

/** Decimal digits, as in JSON: no exponent, fraction, plus sign, space or leading zero. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/**
 * The integer parameters of a request that are not written as integers, by their place. Call it before the validator
 * replaces them by numbers: it takes whatever JavaScript can convert, such as `0x10`, and checks no limit of `Infinity`.
 */
export function looseIntegers(
  { integers }: Pick<ContractRoute, 'integers'>,
  { query, params }: Pick<Request, 'query' | 'params'>,
): ReadonlyMap<string, BrokenRule> {
  const broken = new Map<string, BrokenRule>();
  for (const { name, in: place } of integers) {
    const value = place === 'path' ? params[name] : query[name];
    // An empty or repeated value is reported by the validator.
    if (typeof value !== 'string' || value === '' || INTEGER.test(value)) continue;
    const path = `/${place === 'path' ? 'params' : place}/${name}`;
    broken.set(path, { path, message: 'must be integer', errorCode: 'type' });
  }
  return broken;
}
