import { methodLabels } from '../payments/status-labels';
import { messages } from './messages';
import type { Gateway } from './queries';

export function capabilityLabels(capabilities: NonNullable<Gateway['capabilities']>): string[] {
  const { methods, authorize_only, partial_capture, partial_refund, splits } = capabilities;
  return [
    ...methods.map((method) => methodLabels[method]),
    authorize_only && messages.authorizeOnly,
    partial_capture && messages.partialCapture,
    partial_refund && messages.partialRefund,
    splits && messages.splits,
  ].filter((ability) => ability !== false);
}
