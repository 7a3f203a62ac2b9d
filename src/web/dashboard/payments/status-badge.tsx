import { Badge } from '../../ui/badge';
import { messages } from './messages';
import { statusTones, statusLabels, type PaymentStatus } from './status-labels';

interface PaymentStatusBadgeProps {
  readonly status: PaymentStatus;
  /** True when the payment needs manual review. */
  readonly stuck?: boolean;
}

export function PaymentStatusBadge({ status, stuck = false }: PaymentStatusBadgeProps) {
  if (stuck) return <Badge tone="attention">{messages.review}</Badge>;
  return <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>;
}
