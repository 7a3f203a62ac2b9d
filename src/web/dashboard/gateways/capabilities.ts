import { methodLabels } from '../payments/status-labels';
import { messages } from './messages';
import type { Gateway } from './queries';

const PAYMENT_METHODS = ['card', 'pix', 'billet'] as const;

interface CapabilityLabels {
  readonly supported: readonly string[];
  readonly missing: readonly string[];
}

/** What the vendor behind a gateway can do, and what it cannot. */
export function capabilityLabels(capabilities: NonNullable<Gateway['capabilities']>): CapabilityLabels {
  const { methods, authorize_only, partial_capture, partial_refund, splits } = capabilities;
  const abilities: ReadonlyArray<readonly [label: string, isSupported: boolean]> = [
    ...PAYMENT_METHODS.map((method) => [methodLabels[method], methods.includes(method)] as const),
    [messages.authorizeOnly, authorize_only],
    [messages.partialCapture, partial_capture],
    [messages.partialRefund, partial_refund],
    [messages.splits, splits],
  ];
  const labels = (isSupported: boolean) =>
    abilities.filter((ability) => ability[1] === isSupported).map(([label]) => label);
  return { supported: labels(true), missing: labels(false) };
}
