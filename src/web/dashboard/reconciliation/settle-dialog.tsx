import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { unwrapBody, api } from '../../api/client';
import { FormDialog } from '../../ui/forms/form-dialog';
import { messages } from './messages';

interface SettleDialogProps {
  readonly id: string;
  readonly close: () => void;
}

export function SettleDialog({ id, close }: SettleDialogProps) {
  const form = useForm({ initialValues: { reason: '' } });
  return (
    <FormDialog
      title={messages.settleTitle}
      action={messages.settle}
      form={form}
      save={async ({ reason }) => {
        const params = { path: { id } };
        await unwrapBody(
          api.POST('/user/settlements/items/{id}/settle', { params, body: { reason: reason.trim() } }),
        );
      }}
      success={messages.settled}
      reloads={['reconciliation']}
      close={close}
    >
      <Text size="sm">{messages.settleText}</Text>
      <Textarea
        {...form.getInputProps('reason')}
        label={messages.reason}
        description={messages.reasonHint}
        required
        autosize
        minRows={2}
        maxLength={500}
      />
    </FormDialog>
  );
}
