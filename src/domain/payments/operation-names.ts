import type { AttemptOperation } from './payment';

/** Operations at gateways as people read of them. */
export const OPERATION_NAMES: Readonly<Record<AttemptOperation, string>> = {
  authorize: 'authorization',
  charge: 'charge',
  capture: 'capture',
  cancel: 'cancellation',
  refund: 'refund',
  inquiry: 'inquiry',
};
