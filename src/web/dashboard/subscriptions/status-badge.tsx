import type { Schema } from '../../api/client';
import { Badge } from '../../ui/badge';
import { messages } from './messages';
import { statusTones, statusLabels } from './status-labels';

type BadgeSource = Pick<
  Schema<'Subscription'>,
  'status' | 'dunning' | 'charge_on_hold' | 'cancel_at_period_end'
>;

/** The status, and badges for an unpaid charge, a charge on hold and a scheduled end. */
export function SubscriptionBadges({ subscription }: { readonly subscription: BadgeSource }) {
  const { status, dunning, charge_on_hold: hold, cancel_at_period_end: ends } = subscription;
  const isUnpaid = dunning !== null && (status === 'active' || status === 'trialing');
  return (
    <>
      <Badge tone={statusTones[status]}>{statusLabels[status]}</Badge>
      {isUnpaid && <Badge tone="attention">{messages.unpaid}</Badge>}
      {hold !== null && <Badge tone="waiting">{messages.onHold}</Badge>}
      {ends && status !== 'canceled' && <Badge tone="neutral">{messages.ends}</Badge>}
    </>
  );
}
