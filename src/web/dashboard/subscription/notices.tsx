import { Alert, Text } from '@mantine/core';
import Hourglass from 'lucide-react/icons/hourglass';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { Schema } from '../../api/client';
import { useDates } from '../shared/use-dates';
import { messages as commands } from './command-messages';
import { messages } from './messages';
import type { Subscription } from './queries';

/** What somebody should know before anything else. */
export function Notices({ subscription }: { readonly subscription: Subscription }) {
  const { pending_action: asked, dunning, status } = subscription;
  return (
    <>
      {asked !== null && (
        <Alert icon={<Hourglass aria-hidden />} title={commands.asked(commands.actions[asked])}>
          <Text size="sm">{commands.askedAbout}</Text>
        </Alert>
      )}
      {dunning !== null && status !== 'canceled' && <Unpaid status={status} dunning={dunning} />}
    </>
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
          : messages.nextTry(dates.minute(next))}
      </Text>
    </Alert>
  );
}
