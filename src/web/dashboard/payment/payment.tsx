import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { DetailContent } from '../../ui/layout/detail-content';
import { Page } from '../../ui/layout/page';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { Notes } from '../notes/notes';
import { PaymentDisputes } from '../disputes/disputes-of';
import { Attempts } from './attempts';
import { Deliveries } from './deliveries';
import { Differences } from './differences';
import { Postings } from './ledger/postings';
import { ManualResolution } from './manual-resolution';
import { messages } from './messages';
import { NoProgress } from './no-progress';
import { PaymentActions } from './payment-actions';
import { paymentQuery, type UserPayment } from './queries';
import { Summary } from './summary';
import { Timeline } from './story/timeline';

const route = getRouteApi('/signed-in/payments/$id');

export function Payment() {
  const { id } = route.useParams();
  const payment = useQuery(paymentQuery(id));
  return <DetailContent query={payment}>{(data) => <PaymentPage data={data} />}</DetailContent>;
}

function PaymentPage({ data }: { readonly data: UserPayment }) {
  const { payment, attempts, deliveries } = data;
  const order = payment.merchant_order_id;
  return (
    <Page
      title={order === null ? messages.untitled : messages.title(order)}
      subtitle={
        <Group gap="xs">
          <TextLink to="/payments" fz="sm">
            <ArrowLeft size={14} aria-hidden className={classes.arrow} /> {messages.back}
          </TextLink>
          <Text size="sm" ff="monospace" className={classes.id}>
            {payment.transaction_id}
          </Text>
        </Group>
      }
      actions={<PaymentActions data={data} />}
    >
      {data.desk !== null && <ManualResolution data={data} request={data.desk} />}
      {data.desk === null && data.stuck_since !== null && <NoProgress since={data.stuck_since} />}
      <div className={classes.columns}>
        <div className={classes.main}>
          <Timeline data={data} />
          <Notes about={{ payment: payment.transaction_id }} />
          <Attempts attempts={attempts} currency={payment.currency} />
          {payment.dispute !== null && (
            <PaymentDisputes transactionId={payment.transaction_id} updatedAt={payment.updated_at} />
          )}
          <Differences payment={payment} />
          <Postings payment={payment} />
          <Deliveries deliveries={deliveries} paymentId={payment.transaction_id} />
        </div>
        <Summary data={data} />
      </div>
    </Page>
  );
}
