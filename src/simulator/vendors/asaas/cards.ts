import type { Behavior } from '../../scripts';
import type { AsaasCard } from './parameters';

/** Declined in Asaas' sandbox: recorded `card-declined`. The simulator's test cards apply besides. */
const SANDBOX_DECLINES: ReadonlySet<string> = new Set(['5184019740373151', '4916561358240741']);

export const isSandboxDecline = (number: string): boolean => SANDBOX_DECLINES.has(number);

/** The behaviour with which the core declines such a card. */
export function withSandboxDecline(behavior: Behavior, number: string): Behavior {
  return isSandboxDecline(number) ? { ...behavior, decline_class: 'soft' } : behavior;
}

/** What the issuer sees of a card. */
export function presented({ number, expiryMonth, expiryYear }: Omit<AsaasCard, 'ccv'>) {
  return { number, expire_month: Number(expiryMonth), expire_year: Number(expiryYear) };
}
