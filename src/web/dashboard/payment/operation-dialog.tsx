import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schema } from '../../api/client';
import { RequestKeys } from '../../api/request-keys';
import { FormFailure, markFields } from '../../ui/forms/form-error';
import { messages as shared } from '../../ui/messages';
import { BankAccountFields, NO_BANK_ACCOUNT } from './bank-account-fields';
import { AmountChoice, ReasonField } from './operation-fields';
import { messages } from './operation-messages';
import { mostCents, operate, type Operation, type OperationRequest } from './operations';

export interface OperationForm {
  /** Null: everything. */
  amount: number | null;
  reason: string;
  bank_account: Schema<'BankAccount'>;
}

interface OperationDialogProps {
  readonly operation: Operation;
  readonly payment: Schema<'Payment'>;
  readonly close: () => void;
}

/** Asks how much, and for a last word. */
export function OperationDialog({ operation, payment, close }: OperationDialogProps) {
  const form = useForm<OperationForm>({
    initialValues: { amount: null, reason: '', bank_account: NO_BANK_ACCOUNT },
  });
  const operating = useOperating(operation, payment, close, (error) => markFields(form, error));
  const { title, about, deed } = messages[operation];
  const isBillet = operation === 'refund' && payment.payment_method === 'billet';
  const send = (values: OperationForm) => operating.mutate(requestOf(operation, values, isBillet));
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': shared.close }}>
      <form onSubmit={form.onSubmit(send)} noValidate>
        <Stack>
          <Text size="sm">{about}</Text>
          <FormFailure error={operating.error} shown={['amount', 'reason', 'bank_account']} />
          {operation !== 'cancel' && (
            <AmountChoice form={form} most={mostCents(operation, payment)} currency={payment.currency} />
          )}
          {operation === 'refund' && <ReasonField form={form} />}
          {isBillet && <BankAccountFields form={form} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {messages.keep}
            </Button>
            <Button
              type="submit"
              color={operation === 'capture' ? undefined : 'red.8'}
              loading={operating.isPending}
            >
              {deed}
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

function useOperating(
  operation: Operation,
  { transaction_id: id }: Schema<'Payment'>,
  close: () => void,
  failed: (error: unknown) => void,
) {
  const [keys] = useState(() => new RequestKeys());
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: OperationRequest) => operate(operation, id, body, keys.keyFor(body)),
    onSuccess: ({ transactions }) => {
      const isOpen = transactions.at(-1)?.status === 'unknown';
      notifications.show({
        color: isOpen ? 'yellow' : 'teal',
        message: isOpen ? messages.underWay : messages[operation].done,
      });
      close();
    },
    onError: (error) => {
      keys.failed(error);
      failed(error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['payments'] }),
  });
}
