import { Combobox, Group, Text } from '@mantine/core';
import { PaymentStatusBadge } from '../payments/status-badge';
import { useDates } from '../shared/use-dates';
import { Badge } from '../../ui/badge';
import { statusLabels, statusTones } from '../subscriptions/status-labels';
import type { ChoiceGroup, SearchChoice } from './choices';
import { messages } from './messages';
import classes from './search.module.css';

interface SearchChoicesProps {
  readonly groups: readonly ChoiceGroup[];
  /** Shown if there are none. */
  readonly empty: { readonly title: string; readonly hint?: string };
}

export function SearchChoices({ groups, empty }: SearchChoicesProps) {
  if (groups.length === 0)
    return (
      <div className={classes.empty}>
        <Text size="sm">{empty.title}</Text>
        {empty.hint !== undefined && (
          <Text size="xs" c="dimmed">
            {empty.hint}
          </Text>
        )}
      </div>
    );
  return (
    <Combobox.Options aria-label={messages.results} className={classes.options}>
      {groups.map(({ label, choices, hasMore }) => (
        <Combobox.Group key={label} label={hasMore ? `${label} · ${messages.more}` : label}>
          {choices.map((choice) => (
            <Combobox.Option key={choice.key} value={choice.key} className={classes.option}>
              <Choice choice={choice} />
            </Combobox.Option>
          ))}
        </Combobox.Group>
      ))}
    </Combobox.Options>
  );
}

function Choice({ choice }: { readonly choice: SearchChoice }) {
  const { title, details, amount, payment, subscription } = choice;
  const dates = useDates();
  const created = payment?.created_at ?? subscription?.created_at;
  const shown = [...details, created === undefined ? null : dates.short(created)].filter(
    (text) => text !== null,
  );
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" fw={550} truncate>
          {title}
        </Text>
        <Group gap="xs" wrap="nowrap">
          {payment !== undefined && <PaymentStatusBadge status={payment.status} code={payment.code} />}
          {subscription !== undefined && (
            <Badge tone={statusTones[subscription.status]}>{statusLabels[subscription.status]}</Badge>
          )}
          {amount !== undefined && (
            <Text size="sm" fw={550} className={classes.amount}>
              {amount}
            </Text>
          )}
        </Group>
      </Group>
      {shown.length > 0 && (
        <Text size="xs" c="dimmed" truncate>
          {shown.join(' · ')}
        </Text>
      )}
    </>
  );
}
