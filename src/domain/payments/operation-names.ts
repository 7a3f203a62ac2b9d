import type { AttemptOperation } from './payment';

/** Names of gateway operations for operators. */
export const OPERATION_NAMES: Readonly<Record<AttemptOperation, string>> = {
  authorize: 'authorization',
  charge: 'charge',
  capture: 'capture',
  cancel: 'cancellation',
  refund: 'refund',
  inquiry: 'inquiry',
};
