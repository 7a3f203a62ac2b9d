import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { lazy, Suspense, type ComponentType } from 'react';
import { DetailContent } from '../../ui/layout/detail-content';
import { Page } from '../../ui/layout/page';
import { LoadError, Loading, SkeletonLines } from '../../ui/layout/page-states';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { ManualResolution } from './manual-resolution';
import { messages } from './messages';
import { NoProgress } from './no-progress';
import { PaymentActions } from './payment-actions';
import { paymentQuery, type UserPayment } from './queries';
import { Summary } from './summary';
import { Timeline } from './story/timeline';

const Records = lazy(async () => ({ default: await loadRecords() }));

/** Without them, for example because a new release has other files, the page still shows the story and its actions. */
function loadRecords(): Promise<ComponentType<{ readonly data: UserPayment }>> {
  return import('./records').then(
    (loaded) => loaded.Records,
    (error: unknown) => () => <LoadError error={error} retry={() => location.reload()} />,
  );
}

const route = getRouteApi('/signed-in/payments/$id');

export function Payment() {
  const { id } = route.useParams();
  const payment = useQuery(paymentQuery(id));
  return <DetailContent query={payment}>{(data) => <PaymentPage data={data} />}</DetailContent>;
}

function PaymentPage({ data }: { readonly data: UserPayment }) {
  const { payment } = data;
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
          <Suspense
            fallback={
              <Loading>
                <SkeletonLines />
              </Loading>
            }
          >
            <Records data={data} />
          </Suspense>
        </div>
        <Summary data={data} />
      </div>
    </Page>
  );
}
