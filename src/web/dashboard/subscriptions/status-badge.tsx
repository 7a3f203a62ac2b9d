import type { Schema } from '../../api/client';
import { Badge } from '../../ui/badge';
import { messages } from './messages';
import { statusTones, statusWords } from './status-labels';

type Shown = Pick<Schema<'Subscription'>, 'status' | 'dunning' | 'cancel_at_period_end'>;

/** How a subscription stands, and what else is the matter with it. */
export function SubscriptionBadges({ subscription }: { readonly subscription: Shown }) {
  const { status, dunning, cancel_at_period_end: ends } = subscription;
  const isRetried = dunning !== null && (status === 'active' || status === 'trialing');
  return (
    <>
      <Badge tone={statusTones[status]}>{statusWords[status]}</Badge>
      {isRetried && <Badge tone="attention">{messages.retried}</Badge>}
      {ends && status !== 'canceled' && <Badge tone="neutral">{messages.ends}</Badge>}
    </>
  );
}
