import { Badge } from '../../ui/badge';
import { messages, TONES } from './messages';
import type { Dispute } from './queries';

/** A special return of a pix never waits for the company: the banks decide. */
export function DisputeStatusBadge({ dispute: { kind, status } }: { readonly dispute: Dispute }) {
  if (kind === 'med' && status === 'opened') return <Badge tone="waiting">{messages.withBanks}</Badge>;
  return <Badge tone={TONES[status]}>{messages.statuses[status]}</Badge>;
}
