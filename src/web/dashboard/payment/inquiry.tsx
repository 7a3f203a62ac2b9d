import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { unwrapBody, api } from '../../api/client';
import { errorMessage } from '../../ui/forms/error-messages';
import { useMay } from '../shared/allowed';
import { useDates } from '../shared/use-dates';
import { messages } from './inquiry-messages';
import { isAwaited, isInProgress, paymentQuery, type UserPayment } from './queries';

/** The first page does not wait for what shows notifications. */
async function notify(notification: { readonly color?: string; readonly message: string }): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.show(notification);
}

/** Has the gateway asked about a payment that is not final, and shows what came of it. */
export function Inquiry({ data }: { readonly data: UserPayment }) {
  const mayAsk = useMay('payments:write') && (isInProgress(data) || isAwaited(data));
  const { inquiry } = data;
  if (!mayAsk && inquiry === null) return null;
  return (
    <Stack gap={4} mt="sm" align="flex-start">
      {mayAsk && <AskButton data={data} />}
      <Text size="xs" c="dimmed" aria-live="polite" mih="1.5em">
        <Outcome inquiry={inquiry} />
      </Text>
    </Stack>
  );
}

function Outcome({ inquiry }: Pick<UserPayment, 'inquiry'>) {
  const dates = useDates();
  if (inquiry === null) return null;
  const { outcome, answered_at: answeredAt } = inquiry;
  if (outcome === null || answeredAt === null) return messages.asking;
  return messages.outcomes[outcome](dates.second(answeredAt));
}

function AskButton({ data: { payment, inquiry } }: { readonly data: UserPayment }) {
  const { transaction_id: id } = payment;
  const queryClient = useQueryClient();
  const asking = useMutation({
    mutationFn: async () =>
      (await unwrapBody(api.POST('/user/payments/{id}/inquire', { params: { path: { id } } }))).data,
    onSuccess: (requested) => {
      const { queryKey } = paymentQuery(id);
      queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, inquiry: requested });
      if (requested.answered_at !== null) void notify({ message: messages.justAsked });
    },
    onError: (error) => void notify({ color: 'red', message: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['payments', 'one', id] }),
  });
  const isUnderWay = inquiry !== null && inquiry.answered_at === null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<RefreshCw size={14} aria-hidden />}
      loading={asking.isPending || isUnderWay}
      onClick={() => asking.mutate()}
    >
      {messages.ask}
    </Button>
  );
}
