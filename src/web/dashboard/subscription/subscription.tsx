import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { DetailContent } from '../../ui/layout/detail-content';
import { Page } from '../../ui/layout/page';
import classes from '../shared/detail.module.css';
import { SubscriptionDisputes } from '../disputes/disputes-of';
import { TextLink } from '../shared/links';
import { Cycles } from './cycles';
import { Events } from './events';
import { customerName } from '../shared/customer-name';
import { messages } from './messages';
import { Notices } from './notices';
import { subscriptionQuery, type UserSubscription } from './queries';
import { SubscriptionActions } from './subscription-actions';
import { Summary } from './summary';
import { Upcoming } from './upcoming';

const route = getRouteApi('/signed-in/subscriptions/$id');

export function Subscription() {
  const { id } = route.useParams();
  const subscription = useQuery(subscriptionQuery(id));
  return <DetailContent query={subscription}>{(data) => <SubscriptionPage data={data} />}</DetailContent>;
}

function SubscriptionPage({ data }: { readonly data: UserSubscription }) {
  const { subscription, cycles, charges, events } = data;
  return (
    <Page
      title={messages.title(customerName(subscription.customer))}
      subtitle={
        <Group gap="xs">
          <TextLink to="/subscriptions" fz="sm">
            <ArrowLeft size={14} aria-hidden className={classes.arrow} /> {messages.back}
          </TextLink>
          <Text size="sm" ff="monospace" className={classes.id}>
            {subscription.id}
          </Text>
        </Group>
      }
      actions={<SubscriptionActions data={data} />}
    >
      <Notices subscription={subscription} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <SubscriptionDisputes subscriptionId={subscription.id} updatedAt={subscription.updated_at} />
          <Upcoming subscription={subscription} />
          <Cycles cycles={cycles} charges={charges} currency={subscription.currency} />
          <Events events={events} />
        </div>
        <Summary subscription={subscription} />
      </div>
    </Page>
  );
}
