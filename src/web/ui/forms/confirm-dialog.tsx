import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormFailure } from './form-error';
import { messages } from '../messages';

interface ConfirmDialogProps {
  readonly title: string;
  readonly about: ReactNode;
  /** The deed, on the button that does it. */
  readonly deed: string;
  /** On the button that does nothing, where "cancel" could be mistaken for the deed. */
  readonly keep?: string;
  readonly dangerous?: boolean;
  readonly pending: boolean;
  readonly error: unknown;
  /** The fields of `about`: what is wrong with them is told there. */
  readonly shown?: readonly string[];
  readonly confirm: () => void;
  readonly close: () => void;
}

/** Asks before something is done that cannot be taken back. */
export function ConfirmDialog({
  title,
  about,
  deed,
  keep = messages.cancel,
  dangerous = false,
  pending,
  error,
  shown,
  confirm,
  close,
}: ConfirmDialogProps) {
  return (
    <Modal opened onClose={close} title={title} closeButtonProps={{ 'aria-label': messages.close }}>
      <Stack>
        <Text component="div" size="sm">
          {about}
        </Text>
        <FormFailure error={error} shown={shown} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {keep}
          </Button>
          <Button color={dangerous ? 'red.8' : undefined} loading={pending} onClick={confirm} data-autofocus>
            {deed}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
