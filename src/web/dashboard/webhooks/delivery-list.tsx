import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { unwrapBody, api } from '../../api/client';
import { Badge, type Tone } from '../../ui/badge';
import { DetailsList } from '../../ui/layout/details-list';
import { TextLink } from '../shared/links';
import { useDates } from '../shared/use-dates';
import { WorkflowLink } from '../shared/workflow-link';
import { AttemptTable } from './attempt-table';
import { messages } from './messages';
import type { Delivery } from './queries';
import { showError } from './use-endpoint';
import { Allowed } from '../shared/allowed';

export interface DeliveryItem extends Delivery {
  readonly endpointId: number;
  /** Additional text for the headline. */
  readonly subtitle?: string;
}

const TONES: Readonly<Record<Delivery['status'], Tone>> = {
  pending: 'waiting',
  delivered: 'good',
  failed: 'bad',
};

interface DeliveryListProps {
  readonly deliveries: readonly DeliveryItem[];
  /** Query key to invalidate after a resend. */
  readonly reloads: QueryKey;
}

interface DetailsProps extends Pick<DeliveryListProps, 'reloads'> {
  readonly delivery: DeliveryItem;
}

export function DeliveryList({ deliveries, reloads }: DeliveryListProps) {
  return (
    <DetailsList
      items={deliveries}
      headline={(delivery) => <Headline delivery={delivery} />}
      details={(delivery) => <Details delivery={delivery} reloads={reloads} />}
    />
  );
}

function Details({ delivery, reloads }: DetailsProps) {
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
          <Allowed to="webhooks:write">
            <ResendButton delivery={delivery} reloads={reloads} />
          </Allowed>
        </Group>
      </Group>
    </>
  );
}

function Headline({ delivery }: { readonly delivery: DeliveryItem }) {
  const dates = useDates();
  const {
    event,
    status,
    retry_count: attemptCount,
    next_retry_at: next,
    created_at: created,
    subtitle,
  } = delivery;
  const willRetry = status === 'pending' && attemptCount > 0 && next !== null;
  return (
    <Group justify="space-between" gap="xs" pr="sm">
      <span style={{ minWidth: 0 }}>
        <Text component="span" size="sm" fw={550} display="block">
          {event}
        </Text>
        <Text component="span" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[subtitle, dates.second(created), messages.attempts(attemptCount)].filter(Boolean).join(' · ')}
          {willRetry && ` · ${messages.nextAt(dates.second(next))}`}
        </Text>
      </span>
      <Badge tone={TONES[status]}>{messages.statuses[status]}</Badge>
    </Group>
  );
}

function ResendButton({ delivery: { id: delivery, endpointId: id }, reloads }: DetailsProps) {
  const queryClient = useQueryClient();
  const sending = useMutation({
    mutationFn: () =>
      unwrapBody(
        api.POST('/user/company/webhooks/{id}/deliveries/{delivery}/resend', {
          params: { path: { id, delivery } },
        }),
      ),
    onSuccess: () => void notifications.show({ color: 'teal', message: messages.resent }),
    onError: showError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: reloads }),
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
