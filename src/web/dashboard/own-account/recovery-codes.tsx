import { Button, Code, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core';
import { messages } from './messages';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly close: () => void;
}

/** The codes are shown only here, so the dialog closes only by its button. */
export function RecoveryCodes({ codes, close }: RecoveryCodesProps) {
  return (
    <Modal
      opened
      onClose={close}
      title={messages.codesTitle}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Stack>
        <Text size="sm">{messages.codesText}</Text>
        <SimpleGrid cols={2} spacing="xs">
          {codes.map((code) => (
            <Code key={code}>{code}</Code>
          ))}
        </SimpleGrid>
        <Group justify="flex-end">
          <Button onClick={close}>{messages.codesStored}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
