import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { unwrapBody, api, type Schema } from '../../api/client';
import { Badge, type Tone } from '../../ui/badge';
import { money } from '../../ui/formats';
import { DetailsList } from '../../ui/layout/details-list';
import { TextLink } from '../shared/links';
import { useDates, type Dates } from '../shared/use-dates';
import { WorkflowLink } from '../shared/workflow-link';
import { AttemptTable } from './attempt-table';
import { messages } from './messages';
import type { Delivery } from './queries';
import { showError } from './use-endpoint';
import { Allowed } from '../shared/allowed';

export interface DeliveryItem extends Delivery {
  readonly endpointId: number;
  /** The payment that the event is about, where the page does not tell it. */
  readonly payment?: Schema<'ListedWebhookDelivery'>['payment'];
  /** The receiver, where the page does not tell it. */
  readonly about?: string;
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
  const { event, status, payment, about, created_at: created } = delivery;
  return (
    <Group justify="space-between" gap="xs" pr="sm" wrap="nowrap">
      <span style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text component="span" size="sm" fw={550} display="block">
          {[event, payment?.merchant_order_id].filter(Boolean).join(' · ')}
        </Text>
        <Text component="span" size="xs" c="dimmed" display="block">
          {[about, dates.second(created), ...progressOf(delivery, dates)].filter(Boolean).join(' · ')}
        </Text>
      </span>
      <span style={{ flex: 'none', textAlign: 'right' }}>
        {payment !== undefined && payment !== null && (
          <Text component="span" size="sm" fw={550} display="block">
            {money(payment.amount, payment.currency)}
          </Text>
        )}
        <Badge tone={TONES[status]}>{messages.statuses[status]}</Badge>
      </span>
    </Group>
  );
}

/** The number of attempts, the last response and the next try. */
function progressOf({ attempts, status, next_retry_at: next }: DeliveryItem, dates: Dates): string[] {
  const last = attempts.at(-1);
  if (last === undefined) return [];
  const willRetry = status === 'pending' && next !== null;
  return [
    messages.attempts(attempts.length),
    last.status_code === null ? messages.noResponse : messages.lastResponse(last.status_code),
    ...(willRetry ? [messages.nextAt(dates.second(next))] : []),
  ];
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
