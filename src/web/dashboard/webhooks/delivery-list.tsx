import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { answerOf, api } from '../../api/client';
import { Badge, type Tone } from '../../ui/badge';
import { DetailsList } from '../../ui/layout/details-list';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { WorkflowLink } from '../shared/workflow-link';
import { AttemptTable } from './attempt-table';
import { messages } from './messages';
import type { Delivery } from './queries';
import { tellFailure } from './use-endpoint';

export interface ShownDelivery extends Delivery {
  readonly endpointId: number;
  /** What else to say of it. */
  readonly about?: string;
}

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'waiting',
  delivered: 'good',
  failed: 'bad',
};

interface DeliveryListProps {
  readonly deliveries: readonly ShownDelivery[];
  /** What is to be asked for again once one is sent again. */
  readonly changed: QueryKey;
}

interface DetailsProps extends Pick<DeliveryListProps, 'changed'> {
  readonly delivery: ShownDelivery;
}

/** Events on their way; every attempt opens at a click. */
export function DeliveryList({ deliveries, changed }: DeliveryListProps) {
  return (
    <DetailsList
      items={deliveries}
      headline={(delivery) => <Headline delivery={delivery} />}
      details={(delivery) => <Details delivery={delivery} changed={changed} />}
    />
  );
}

function Details({ delivery, changed }: DetailsProps) {
  const { attempts, transaction_id: paymentId, subscription_id: subscriptionId, workflow } = delivery;
  return (
    <>
      <AttemptTable attempts={attempts} />
      <Group justify="space-between" mt="sm">
        {paymentId !== null && (
          <TextLink to="/payments/$id" params={{ id: paymentId }} fz="sm">
            {paymentId}
          </TextLink>
        )}
        {subscriptionId !== null && (
          <TextLink to="/subscriptions/$id" params={{ id: subscriptionId }} fz="sm">
            {subscriptionId}
          </TextLink>
        )}
        <Group gap="xs" ml="auto">
          <WorkflowLink workflow={workflow} size="xs" />
          <Resend delivery={delivery} changed={changed} />
        </Group>
      </Group>
    </>
  );
}

function Headline({ delivery }: { readonly delivery: ShownDelivery }) {
  const dates = useDates();
  const { event, status, retry_count: tries, next_retry_at: next, created_at: created, about } = delivery;
  const isWaiting = status === 'pending' && tries > 0 && next !== null;
  return (
    <Group justify="space-between" gap="xs" pr="sm">
      <span style={{ minWidth: 0 }}>
        <Text component="span" size="sm" fw={550} display="block">
          {event}
        </Text>
        <Text component="span" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[about, dates.second(created), messages.attempts(tries)].filter(Boolean).join(' · ')}
          {isWaiting && ` · ${messages.nextAt(dates.second(next))}`}
        </Text>
      </span>
      <Badge tone={TONES[status]}>{messages.statuses[status]}</Badge>
    </Group>
  );
}

function Resend({ delivery: { id: delivery, endpointId: id }, changed }: DetailsProps) {
  const queryClient = useQueryClient();
  const sending = useMutation({
    mutationFn: () =>
      answerOf(
        api.POST('/user/company/webhooks/{id}/deliveries/{delivery}/resend', {
          params: { path: { id, delivery } },
        }),
      ),
    onSuccess: () => void notifications.show({ color: 'teal', message: messages.resent }),
    onError: tellFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: changed }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={sending.isPending}
      leftSection={<RotateCw size={14} aria-hidden />}
      onClick={() => sending.mutate()}
    >
      {messages.resend}
    </Button>
  );
}
