import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import ExternalLink from 'lucide-react/icons/external-link';
import { CopyField } from '../../ui/copy-field';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';
import type { PaymentLink } from './queries';

interface LinkCreatedDialogProps {
  readonly link: PaymentLink;
  readonly close: () => void;
}

export function LinkCreatedDialog({ link: { checkout_url: address }, close }: LinkCreatedDialogProps) {
  return (
    <Modal
      opened
      onClose={close}
      title={messages.createdTitle}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <Stack>
        <Text size="sm">{messages.createdHint}</Text>
        <CopyField label={messages.url} value={address} />
        <Group justify="flex-end">
          <Button
            component="a"
            href={address}
            target="_blank"
            rel="noreferrer"
            variant="default"
            rightSection={<ExternalLink size={15} aria-hidden />}
          >
            {messages.open}
          </Button>
          <Button onClick={close}>{shared.close}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
