import { Badge } from '../../ui/badge';
import { messages } from './messages';
import { statusTones, statusWords, type PaymentStatus } from './status-labels';

interface PaymentStatusBadgeProps {
  readonly status: PaymentStatus;
  /** Whether only a person can say what became of it. */
  readonly stuck?: boolean;
}

export function PaymentStatusBadge({ status, stuck = false }: PaymentStatusBadgeProps) {
  if (stuck) return <Badge tone="attention">{messages.waitsForPerson}</Badge>;
  return <Badge tone={statusTones[status]}>{statusWords[status]}</Badge>;
}
