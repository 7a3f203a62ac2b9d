import type { Conditions } from './rule-form';

export const CARD_BRANDS = [
  'visa',
  'mastercard',
  'elo',
  'hipercard',
  'amex',
  'diners',
  'discover',
  'hiper',
  'jcb',
  'maestro',
  'mir',
  'naranja',
  'troy',
  'unionpay',
  'verve',
  'unknown',
] as const satisfies readonly NonNullable<Conditions['card_brand']>[];
