import { Button, Group, Modal, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { messages as shared } from '../../ui/messages';
import { messages } from './manual-resolution-messages';

const OUTCOMES = ['paid', 'absent', 'retry'] as const;
/** What the gateway itself shows is not absent. */
const OUTCOMES_OF_FOUND = ['paid', 'retry'] as const;

interface ResolveForm {
  outcome: Schema<'PaymentResolution'>['outcome'] | '';
  reason: string;
  gateway_transaction_id: string;
}

interface ResolveDialogProps {
  readonly payment: Schema<'Payment'>;
  readonly request: Schema<'ManualReviewQuestion'>;
  /** The question in the user's language. */
  readonly question: string;
  /** Whether the question is about something that was found at the gateway. */
  readonly isFound: boolean;
  readonly close: () => void;
}

/**
 * Records the operator's decision about an operation. No outcome is preselected, so that each decision is deliberate.
 */
export function ResolveDialog({ payment, request, question, isFound, close }: ResolveDialogProps) {
  const outcomes = isFound ? OUTCOMES_OF_FOUND : OUTCOMES;
  const form = useForm<ResolveForm>({
    initialValues: { outcome: '', reason: '', gateway_transaction_id: '' },
  });
  const resolving = useResolveMutation(payment, request, close, (error) => setFieldErrors(form, error));
  return (
    <Modal opened onClose={close} title={messages.title} closeButtonProps={{ 'aria-label': shared.close }}>
      <form onSubmit={form.onSubmit((values) => resolving.mutate(values))} noValidate>
        <Stack>
          <Text size="sm">{question}</Text>
          <Text size="sm" c="dimmed">
            {messages.warning(request.gateway)}
          </Text>
          <FormError error={resolving.error} fields={Object.keys(form.values)} />
          <Radio.Group {...form.getInputProps('outcome')} label={messages.outcome} required>
            <Stack gap="xs" mt="xs">
              {outcomes.map((outcome) => (
                <Radio key={outcome} value={outcome} {...textOf(outcome, isFound)} />
              ))}
            </Stack>
          </Radio.Group>
          {form.values.outcome === 'paid' && !isFound && (
            <TextInput
              {...form.getInputProps('gateway_transaction_id')}
              label={`${messages.gatewayId} (${shared.optional})`}
              description={messages.gatewayIdHint}
              maxLength={255}
            />
          )}
          <Textarea
            {...form.getInputProps('reason')}
            label={messages.reason}
            description={messages.reasonHint}
            required
            autosize
            minRows={2}
            maxLength={500}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {shared.back}
            </Button>
            <Button type="submit" loading={resolving.isPending} disabled={form.values.outcome === ''}>
              {messages.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function textOf(
  outcome: (typeof OUTCOMES)[number],
  isFound: boolean,
): { label: string; description: string } {
  const { label, hint } = outcome === 'paid' && isFound ? messages.confirmFound : messages.outcomes[outcome];
  return { label, description: hint };
}

function useResolveMutation(
  { transaction_id: id }: Schema<'Payment'>,
  { attempt_id }: Schema<'ManualReviewQuestion'>,
  close: () => void,
  onFailed: (error: unknown) => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ outcome, reason, gateway_transaction_id: gatewayId }: ResolveForm) => {
      if (outcome === '') throw new Error('the button is off until an outcome is chosen');
      const seen = outcome === 'paid' && gatewayId !== '' ? { gateway_transaction_id: gatewayId } : {};
      const body = { outcome, reason, attempt_id, ...seen };
      return unwrapBody(api.POST('/user/payments/{id}/resolve', { params: { path: { id } }, body }));
    },
    onSuccess: () => {
      notifications.show({ color: 'teal', message: messages.done });
      close();
    },
    onError: onFailed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['payments'] }),
  });
}
