import { Button, Group, Modal, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FormFailure, markFields } from './form-error';
import { messages } from '../messages';

interface FormDialogProps<Values extends object> {
  readonly title: string;
  /** What the button says that saves. */
  readonly deed: string;
  readonly form: UseFormReturnType<Values>;
  readonly save: (values: Values) => Promise<void>;
  /** Told once it is saved. */
  readonly saved: string;
  /** What is to be asked for again then. */
  readonly changed: QueryKey;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Asks for something, saves it, and marks the fields that are not as they must be. */
export function FormDialog<Values extends object>(props: FormDialogProps<Values>) {
  const { title, deed, form, save, saved, changed, close, children } = props;
  const queryClient = useQueryClient();
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => {
      notifications.show({ color: 'teal', message: saved });
      close();
    },
    onError: (error) => markFields(form, error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: changed }),
  });
  return (
    <Modal opened onClose={close} title={title} size="lg" closeButtonProps={{ 'aria-label': messages.close }}>
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <Stack>
          <FormFailure error={saving.error} shown={Object.keys(form.values)} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {messages.cancel}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {deed}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
