import { Alert, Text } from '@mantine/core';
import Hourglass from 'lucide-react/icons/hourglass';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { Schema } from '../../api/client';
import { useDates } from '../shared/use-dates';
import { messages as commands } from './command-messages';
import { messages } from './messages';
import type { Subscription } from './queries';

export function Notices({ subscription }: { readonly subscription: Subscription }) {
  const { pending_action: pending, dunning, charge_on_hold: hold, status } = subscription;
  return (
    <>
      {pending !== null && (
        <Alert icon={<Hourglass aria-hidden />} title={commands.requested(commands.actions[pending])}>
          <Text size="sm">{commands.requestedHint}</Text>
        </Alert>
      )}
      {hold !== null && <OnHold hold={hold} />}
      {dunning !== null && hold === null && status !== 'canceled' && (
        <Unpaid status={status} dunning={dunning} />
      )}
    </>
  );
}

function OnHold({ hold: { since, reason, detail } }: { readonly hold: Schema<'SubscriptionChargeHold'> }) {
  const dates = useDates();
  return (
    <Alert icon={<Hourglass aria-hidden />} title={messages.onHold(dates.minute(since))}>
      <Text size="sm">{messages.holdReasons[reason]}</Text>
      {detail !== null && <Text size="sm">{detail}</Text>}
    </Alert>
  );
}

interface UnpaidProps {
  readonly status: Subscription['status'];
  readonly dunning: Schema<'SubscriptionDunning'>;
}

function Unpaid({ status, dunning: { first_failed_at: since, next_retry_at: next } }: UnpaidProps) {
  const dates = useDates();
  return (
    <Alert color="orange" icon={<TriangleAlert aria-hidden />} title={messages.unpaid(dates.day(since))}>
      <Text size="sm">
        {next === null || status === 'paused'
          ? messages.unpaidBy[status]
          : messages.nextRetry(dates.minute(next))}
      </Text>
    </Alert>
  );
}
