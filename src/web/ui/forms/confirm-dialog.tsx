import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormError } from './form-error';
import { messages } from '../messages';

interface ConfirmDialogProps {
  readonly title: string;
  /** Label of the button that confirms. */
  readonly action: string;
  /** Label of the other button, if "Cancel" would be ambiguous. */
  readonly dismiss?: string;
  readonly dangerous?: boolean;
  readonly pending: boolean;
  readonly error: unknown;
  /** Fields inside `children`, which show their own errors. */
  readonly fields?: readonly string[];
  readonly confirm: () => void;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Asks for confirmation of an action that cannot be undone. */
export function ConfirmDialog({
  title,
  action,
  dismiss = messages.back,
  dangerous = false,
  pending,
  error,
  fields,
  confirm,
  close,
  children,
}: ConfirmDialogProps) {
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': messages.close }}>
      <Stack>
        <Text component="div" size="sm">
          {children}
        </Text>
        <FormError error={error} fields={fields} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {dismiss}
          </Button>
          <Button color={dangerous ? 'red.8' : undefined} loading={pending} onClick={confirm} data-autofocus>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
