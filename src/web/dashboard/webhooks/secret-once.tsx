import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyField } from '../../ui/copy-field';
import { messages } from './messages';

interface SecretOnceProps {
  readonly secret: string;
  readonly close: () => void;
}

/** The secret is shown only here, so the dialog closes only by its button. */
export function SecretOnce({ secret, close }: SecretOnceProps) {
  return (
    <Modal
      opened
      onClose={close}
      title={messages.secretTitle}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{messages.secretText}</Text>
        <CopyField label={messages.secret} value={secret} />
        <Group justify="flex-end">
          <Button onClick={close}>{messages.secretStored}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
