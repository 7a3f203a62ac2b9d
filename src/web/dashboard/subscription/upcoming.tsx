import { Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import CalendarClock from 'lucide-react/icons/calendar-clock';
import type { Schema } from '../../api/client';
import { money } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { SkeletonLines, QueryContent, EmptyMessage } from '../../ui/layout/page-states';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import { upcomingQuery, type Subscription } from './queries';

/** The forecast of the API. */
export function Upcoming({ subscription }: { readonly subscription: Subscription }) {
  const upcoming = useQuery(upcomingQuery(subscription));
  return (
    <Panel title={messages.upcoming} subtitle={messages.upcomingHint} flush>
      <QueryContent query={upcoming} skeleton={<SkeletonLines count={6} />}>
        {(charges) =>
          charges.length === 0 ? (
            <EmptyMessage icon={<CalendarClock size={28} aria-hidden />} title={messages.noUpcoming} />
          ) : (
            <Charges charges={charges} currency={subscription.currency} />
          )
        }
      </QueryContent>
    </Panel>
  );
}

interface ChargesProps {
  readonly charges: ReadonlyArray<Schema<'UpcomingCharge'>>;
  readonly currency: string;
}

function Charges({ charges, currency }: ChargesProps) {
  const dates = useDates();
  return (
    <Table verticalSpacing="xs" horizontalSpacing="lg">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.due}</Table.Th>
          <Table.Th scope="col" visibleFrom="xs">
            {messages.forPeriod}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.amount}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {charges.map(
          ({
            number,
            due_at: due,
            period,
            amount_charged: charged,
            discount_amount: discount,
            credit_applied: credit,
          }) => (
            <Table.Tr key={number}>
              <Table.Td>
                <time dateTime={due}>{dates.day(due)}</time>
              </Table.Td>
              <Table.Td visibleFrom="xs">
                <Text size="sm" c="dimmed">
                  {messages.span(dates.day(period.start), dates.day(period.end))}
                </Text>
              </Table.Td>
              <Table.Td ta="right" fw={550}>
                {charged === 0 ? messages.noCharge : money(charged, currency)}
                {discount > 0 && (
                  <Text size="xs" c="dimmed">
                    {messages.discounted(money(discount, currency))}
                  </Text>
                )}
                {credit > 0 && (
                  <Text size="xs" c="dimmed">
                    {messages.credited(money(credit, currency))}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ),
        )}
      </Table.Tbody>
    </Table>
  );
}
