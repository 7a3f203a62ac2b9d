import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '../../api/client';
import { IdempotencyKeys } from '../../api/idempotency-keys';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { messages as shared } from '../../ui/messages';
import { BankAccountFields, NO_BANK_ACCOUNT } from './bank-account-fields';
import { AmountChoice, amountProblem, ReasonField } from './operation-fields';
import { messages } from './operation-messages';
import { amountLimits, requestOperation, type Operation, type OperationRequest } from './operations';

export interface OperationForm {
  /** Null for the full amount. */
  amount: number | null;
  reason: string;
  bank_account: Schema<'BankAccount'>;
}

interface OperationDialogProps {
  readonly operation: Operation;
  readonly payment: Schema<'Payment'>;
  readonly close: () => void;
}

export function OperationDialog({ operation, payment, close }: OperationDialogProps) {
  const limits = amountLimits(operation, payment);
  const form = useForm<OperationForm>({
    initialValues: { amount: null, reason: '', bank_account: NO_BANK_ACCOUNT },
    validate: { amount: (cents) => amountProblem(cents, limits, payment.currency) },
  });
  const sending = useOperationMutation(operation, payment, close, (error) => setFieldErrors(form, error));
  const { title, text, submit } = messages[operation];
  const isBillet = operation === 'refund' && payment.payment_method === 'billet';
  const send = (values: OperationForm) => sending.mutate(requestOf(operation, values, isBillet));
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': shared.close }}>
      <form onSubmit={form.onSubmit(send)} noValidate>
        <Stack>
          <Text size="sm">{text}</Text>
          <FormError error={sending.error} fields={['amount', 'reason', 'bank_account']} />
          {operation !== 'cancel' && <AmountChoice form={form} limits={limits} currency={payment.currency} />}
          {operation === 'refund' && <ReasonField form={form} />}
          {isBillet && <BankAccountFields form={form} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {shared.back}
            </Button>
            <Button
              type="submit"
              color={operation === 'capture' ? undefined : 'red.8'}
              loading={sending.isPending}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function requestOf(operation: Operation, values: OperationForm, isBillet: boolean): OperationRequest {
  if (operation === 'cancel') return {};
  return {
    ...(values.amount !== null && { amount: values.amount }),
    ...(values.reason.trim() !== '' && { reason: values.reason.trim() }),
    ...(isBillet && { bank_account: values.bank_account }),
  };
}

function useOperationMutation(
  operation: Operation,
  { transaction_id: id }: Schema<'Payment'>,
  close: () => void,
  onFailed: (error: unknown) => void,
) {
  const [keys] = useState(() => new IdempotencyKeys());
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: OperationRequest) => requestOperation(operation, id, body, keys.keyFor(body)),
    onSuccess: ({ transactions, pending_operations: accepted }) => {
      const last = transactions.at(-1);
      const isUnknown = last?.status === 'unknown';
      const isAccepted = accepted.some(({ id }) => id === last?.id);
      const notice = isAccepted ? messages.accepted : messages[operation].done;
      notifications.show({
        color: isUnknown || isAccepted ? 'yellow' : 'teal',
        message: isUnknown ? messages.pending : notice,
      });
      close();
    },
    onError: (error) => {
      keys.handleError(error);
      onFailed(error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['payments'] }),
  });
}
