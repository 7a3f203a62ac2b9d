import { useQuery } from '@tanstack/react-query';
import { QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { DisputeTable } from './dispute-table';
import { messages } from './messages';
import { disputesOfQuery } from './queries';

interface PaymentDisputesProps {
  readonly transactionId: string;
  readonly updatedAt: string | null;
}

/** The disputes of a payment that has one. */
export function PaymentDisputes({ transactionId, updatedAt }: PaymentDisputesProps) {
  const disputes = useQuery(disputesOfQuery({ transaction_id: transactionId }, updatedAt));
  return (
    <Panel title={messages.ofPayment} flush>
      <QueryContent query={disputes}>{(data) => <DisputeTable disputes={data} />}</QueryContent>
    </Panel>
  );
}

interface SubscriptionDisputesProps {
  readonly subscriptionId: string;
  readonly updatedAt: string;
}

/** The disputes of a subscription's charges; nothing if there are none, as nearly always. */
export function SubscriptionDisputes({ subscriptionId, updatedAt }: SubscriptionDisputesProps) {
  const { data = [] } = useQuery(disputesOfQuery({ subscription_id: subscriptionId }, updatedAt));
  if (data.length === 0) return null;
  return (
    <Panel title={messages.ofPayment} flush>
      <DisputeTable disputes={data} />
    </Panel>
  );
}
