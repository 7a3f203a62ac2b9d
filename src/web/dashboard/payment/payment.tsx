import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { Page } from '../../ui/layout/page';
import { Loaded } from '../../ui/layout/page-states';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { Attempts } from './attempts';
import { Deliveries } from './deliveries';
import { Desk } from './manual-resolution';
import { messages } from './messages';
import { PaymentActions } from './payment-actions';
import { paymentQuery, type UserPayment } from './queries';
import { Summary } from './summary';
import { Timeline } from './timeline';

const route = getRouteApi('/signed-in/payments/$id');

/** Everything that is known of one payment, and what can be done about it. */
export function Payment() {
  const { id } = route.useParams();
  const payment = useQuery(paymentQuery(id));
  return <Loaded query={payment}>{(data) => <PaymentPage data={data} />}</Loaded>;
}

function PaymentPage({ data }: { readonly data: UserPayment }) {
  const { payment, timeline, timeline_complete: complete, attempts, deliveries } = data;
  const order = payment.merchant_order_id;
  return (
    <Page
      title={order === null ? messages.untitled : messages.title(order)}
      about={
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
      {data.desk !== null && <Desk data={data} question={data.desk} />}
      <div className={classes.columns}>
        <div className={classes.story}>
          <Timeline entries={timeline} complete={complete} />
          <Attempts attempts={attempts} currency={payment.currency} />
          <Deliveries deliveries={deliveries} paymentId={payment.transaction_id} />
        </div>
        <Summary payment={payment} stuck={data.desk !== null} />
      </div>
    </Page>
  );
}
