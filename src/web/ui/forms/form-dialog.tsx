import { Button, Group, Modal, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormError, setFieldErrors } from './form-error';
import { messages } from '../messages';

interface FormDialogProps<Values extends object> {
  readonly title: string;
  /** Label of the submit button. */
  readonly action: string;
  readonly form: UseFormReturnType<Values>;
  readonly save: (values: Values) => Promise<void>;
  /** Notification after saving. */
  readonly success: string;
  /** Query key to invalidate after saving. */
  readonly reloads: QueryKey;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A dialog with a form; API errors appear beside their fields. */
export function FormDialog<Values extends object>(props: FormDialogProps<Values>) {
  const { title, action, form, save, success, reloads, close, children } = props;
  const queryClient = useQueryClient();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => {
      notifications.show({ color: 'teal', message: success });
      close();
    },
    onError: (error) => setFieldErrors(form, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: reloads }),
  });
  return (
    <Modal opened onClose={close} title={title} size="lg" closeButtonProps={{ 'aria-label': messages.close }}>
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <Stack>
          <FormError error={saving.error} fields={Object.keys(form.values)} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {messages.back}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
