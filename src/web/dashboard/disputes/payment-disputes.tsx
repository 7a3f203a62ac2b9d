import { useQuery } from '@tanstack/react-query';
import { QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { DisputeTable } from './dispute-table';
import { messages } from './messages';
import { paymentDisputesQuery } from './queries';

interface PaymentDisputesProps {
  readonly transactionId: string;
  readonly updatedAt: string | null;
}

/** The disputes of a payment that has one. */
export function PaymentDisputes({ transactionId, updatedAt }: PaymentDisputesProps) {
  const disputes = useQuery(paymentDisputesQuery(transactionId, updatedAt));
  return (
    <Panel title={messages.ofPayment} flush>
      <QueryContent query={disputes}>{(data) => <DisputeTable disputes={data} />}</QueryContent>
    </Panel>
  );
}
