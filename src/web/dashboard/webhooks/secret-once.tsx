import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyField } from '../../ui/copy-field';
import { messages } from './messages';

interface SecretOnceProps {
  readonly secret: string;
  readonly close: () => void;
}

/** The only time that a secret is seen: it takes a click on what it says to close it. */
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
        <Text size="sm">{messages.secretAbout}</Text>
        <CopyField label={messages.secret} value={secret} />
        <Group justify="flex-end">
          <Button onClick={close}>{messages.secretKept}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
