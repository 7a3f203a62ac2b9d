import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import ExternalLink from 'lucide-react/icons/external-link';
import { CopyField } from '../../ui/copy-field';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';
import type { PaymentLink } from './queries';

interface MadeDialogProps {
  readonly link: PaymentLink;
  readonly close: () => void;
}

/** The address of a new link: what it was made for. */
export function MadeDialog({ link: { checkout_url: address }, close }: MadeDialogProps) {
  return (
    <Modal
      opened
      onClose={close}
      title={messages.madeTitle}
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <Stack>
        <Text size="sm">{messages.madeAbout}</Text>
        <CopyField label={messages.address} value={address} />
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
