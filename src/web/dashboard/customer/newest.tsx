import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { PaymentTable } from '../payments/payment-table';
import { paymentsQuery } from '../payments/queries';
import { TextLink } from '../shared/links';
import { subscriptionsQuery } from '../subscriptions/queries';
import { SubscriptionTable } from '../subscriptions/subscription-table';
import { messages } from './messages';

/** Rows on the customer's page; the lists have all of them. */
const SHOWN = 10;

interface NewestProps {
  /** The customer's. */
  readonly token: string;
}

export function NewestPayments({ token }: NewestProps) {
  const payments = useQuery(paymentsQuery({ customer: token }));
  const all = (
    <TextLink to="/payments" search={{ customer: token }} fz="sm">
      {messages.allPayments}
    </TextLink>
  );
  return (
    <Panel title={messages.payments} flush actions={all}>
      <QueryContent query={payments}>
        {({ data }) =>
          data.length === 0 ? (
            <None>{messages.noPayments}</None>
          ) : (
            <PaymentTable payments={data.slice(0, SHOWN)} outdated={false} />
          )
        }
      </QueryContent>
    </Panel>
  );
}

export function NewestSubscriptions({ token }: NewestProps) {
  const subscriptions = useQuery(subscriptionsQuery({ customer: token }));
  const all = (
    <TextLink to="/subscriptions" search={{ customer: token }} fz="sm">
      {messages.allSubscriptions}
    </TextLink>
  );
  return (
    <Panel title={messages.subscriptions} flush actions={all}>
      <QueryContent query={subscriptions}>
        {({ data }) =>
          data.length === 0 ? (
            <None>{messages.noSubscriptions}</None>
          ) : (
            <SubscriptionTable subscriptions={data.slice(0, SHOWN)} outdated={false} />
          )
        }
      </QueryContent>
    </Panel>
  );
}

export function None({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed" px="md" pb="md">
      {children}
    </Text>
  );
}
