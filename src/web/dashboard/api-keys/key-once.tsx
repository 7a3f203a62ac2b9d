import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { CopyField } from '../../ui/copy-field';
import { useMe } from '../session';
import { messages } from './messages';

interface KeyOnceProps {
  readonly apiKey: string;
  readonly close: () => void;
}

/** The key is shown only here, so the dialog closes only by its button. */
export function KeyOnce({ apiKey, close }: KeyOnceProps) {
  const { company } = useMe();
  return (
    <Modal
      opened
      onClose={close}
      title={messages.onceTitle}
      size="lg"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{messages.onceText}</Text>
        <CopyField label={messages.clientId} value={company.client_id} />
        <CopyField label={messages.apiKey} value={apiKey} />
        <Group justify="flex-end">
          <Button onClick={close}>{messages.stored}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
