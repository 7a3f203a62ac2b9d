import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { useState } from 'react';
import { unwrapBody, api, type Schema } from '../../api/client';
import { IdempotencyKeys } from '../../api/idempotency-keys';
import { count } from '../../ui/formats';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { useMay } from '../shared/allowed';
import type { DeliverySearch } from './delivery-search';
import { messages } from './messages';
import { deliveriesQuery, type Endpoint } from './queries';
import { useInvalidateWebhooks } from './use-endpoint';

interface ResendFailedProps {
  readonly endpoint: Endpoint;
  /** Only deliveries of this event; of all if undefined. */
  readonly event: DeliverySearch['event'];
}

/** Sends what has failed again; shown while there is something. */
export function ResendFailed({ endpoint, event }: ResendFailedProps) {
  const mayResend = useMay('webhooks:write') && endpoint.enabled && event !== 'webhook.test';
  const failed = useQuery({
    ...deliveriesQuery(endpoint.id, { status: 'failed', ...(event !== undefined && { event }) }, 1),
    enabled: mayResend,
  });
  const [asking, ask] = useState(false);
  const total = failed.data?.meta.total ?? 0;
  if (!mayResend || (total === 0 && !asking)) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<RotateCw size={14} aria-hidden />}
        onClick={() => ask(true)}
      >
        {messages.resendFailed(count(total))}
      </Button>
      {asking && <ResendDialog id={endpoint.id} event={event} total={total} close={() => ask(false)} />}
    </>
  );
}

interface ResendDialogProps extends Pick<ResendFailedProps, 'event'> {
  readonly id: number;
  readonly total: number;
  readonly close: () => void;
}

function ResendDialog({ id, event, total, close }: ResendDialogProps) {
  const [keys] = useState(() => new IdempotencyKeys());
  const body: Schema<'BulkResendRequest'> = event === undefined || event === 'webhook.test' ? {} : { event };
  const sending = useMutation({
    mutationFn: async () => {
      const params = { path: { id }, header: { 'Idempotency-Key': keys.keyFor(body) } };
      const sent = api.POST('/user/company/webhooks/{id}/deliveries/resend-failed', { params, body });
      return (await unwrapBody(sent)).data;
    },
    onSuccess: ({ resent, remaining }) => {
      notifications.show({ color: 'teal', message: messages.resentFailed(count(resent), count(remaining)) });
      close();
    },
    onError: (error) => keys.handleError(error),
    onSettled: useInvalidateWebhooks(),
  });
  return (
    <ConfirmDialog
      title={messages.resendFailedTitle}
      action={messages.resend}
      pending={sending.isPending}
      error={sending.error}
      confirm={() => sending.mutate()}
      close={close}
    >
      {messages.resendFailedText(count(total), event ?? null)}
    </ConfirmDialog>
  );
}
