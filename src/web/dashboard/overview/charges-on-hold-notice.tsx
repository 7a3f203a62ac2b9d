import { Alert, Group, Text } from '@mantine/core';
import Hourglass from 'lucide-react/icons/hourglass';
import { ButtonLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import type { Dashboard } from './queries';

/** Number of subscriptions whose charge waits for a gateway; hidden when there are none. */
export function ChargesOnHoldNotice({ dashboard }: { readonly dashboard: Dashboard }) {
  const dates = useDates();
  const { subscriptions, since } = dashboard.charges_on_hold;
  if (since === null) return null;
  return (
    <Alert color="orange" icon={<Hourglass aria-hidden />} title={messages.onHold(subscriptions)}>
      <Group justify="space-between">
        <Text size="sm">{messages.onHoldHint(dates.minute(since))}</Text>
        <ButtonLink to="/subscriptions" search={{ charge_on_hold: true }} size="xs" variant="default">
          {messages.onHoldLink}
        </ButtonLink>
      </Group>
    </Alert>
  );
}
