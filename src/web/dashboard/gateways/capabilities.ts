import { methodWords } from '../payments/status-labels';
import { messages } from './messages';
import type { Gateway } from './queries';

/** What a gateway can do, in words. */
export function abilitiesOf(capabilities: NonNullable<Gateway['capabilities']>): string[] {
  const { methods, authorize_only, partial_capture, partial_refund, splits } = capabilities;
  return [
    ...methods.map((method) => methodWords[method]),
    authorize_only && messages.authorizeOnly,
    partial_capture && messages.partialCapture,
    partial_refund && messages.partialRefund,
    splits && messages.splits,
  ].filter((ability) => ability !== false);
}
