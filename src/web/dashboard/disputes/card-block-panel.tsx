import { Button, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { unwrapBody, api } from '../../api/client';
import { FormDialog } from '../../ui/forms/form-dialog';
import { Panel } from '../../ui/layout/panel';
import { useMay } from '../shared/allowed';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import type { Dispute } from './queries';

type CardBlock = NonNullable<Dispute['card_block']>;

interface CardBlockPanelProps {
  readonly disputeId: string;
  readonly block: CardBlock;
}

/** Whether subscriptions may charge the card of a charge that is disputed for fraud, and who let them. */
export function CardBlockPanel({ disputeId, block }: CardBlockPanelProps) {
  const [isAsking, ask] = useState(false);
  const mayRelease = useMay('subscriptions:write');
  return (
    <Panel title={messages.card}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{block.active ? messages.cardBlocked : messages.cardFree}</Text>
        {block.release !== null && <Release release={block.release} />}
        {block.active && mayRelease && (
          <Button variant="default" onClick={() => ask(true)}>
            {messages.release}
          </Button>
        )}
      </Stack>
      {isAsking && <ReleaseDialog disputeId={disputeId} close={() => ask(false)} />}
    </Panel>
  );
}

function Release({ release }: { readonly release: NonNullable<CardBlock['release']> }) {
  const dates = useDates();
  return (
    <Text size="sm" c="dimmed">
      {messages.releasedBy(release.user ?? '-')} ·{' '}
      <time dateTime={release.released_at}>{dates.second(release.released_at)}</time>
      <br />
      {release.reason}
    </Text>
  );
}

interface ReleaseDialogProps {
  readonly disputeId: string;
  readonly close: () => void;
}

function ReleaseDialog({ disputeId: id, close }: ReleaseDialogProps) {
  const form = useForm({ initialValues: { reason: '' } });
  return (
    <FormDialog
      title={messages.releaseTitle}
      action={messages.release}
      form={form}
      save={async (body) => {
        await unwrapBody(api.POST('/user/disputes/{id}/release_card', { params: { path: { id } }, body }));
      }}
      success={messages.released}
      reloads={['disputes']}
      close={close}
    >
      <Text size="sm">{messages.releaseText}</Text>
      <Textarea
        {...form.getInputProps('reason')}
        label={messages.releaseReason}
        description={messages.releaseReasonHint}
        required
        autosize
        minRows={2}
        maxRows={8}
        maxLength={500}
      />
    </FormDialog>
  );
}
