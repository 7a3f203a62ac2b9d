import { Badge } from '../../ui/badge';
import { messages } from './messages';
import {
  failureCodeLabels,
  statusTones,
  statusLabels,
  type FailureCode,
  type PaymentStatus,
} from './status-labels';

interface PaymentStatusBadgeProps {
  readonly status: PaymentStatus;
  /** Why a failed payment failed: it says more than the status. */
  readonly code: FailureCode | null;
  /** True when the payment needs manual review. */
  readonly stuck?: boolean;
}

export function PaymentStatusBadge({ status, code, stuck = false }: PaymentStatusBadgeProps) {
  if (stuck) return <Badge tone="attention">{messages.review}</Badge>;
  return (
    <Badge tone={statusTones[status]}>{code === null ? statusLabels[status] : failureCodeLabels[code]}</Badge>
  );
}
