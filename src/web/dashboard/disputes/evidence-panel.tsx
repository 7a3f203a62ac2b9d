import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrapBody, api } from '../../api/client';
import { Badge } from '../../ui/badge';
import { FormError } from '../../ui/forms/form-error';
import { EmptyMessage } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { useMay } from '../shared/allowed';
import { EvidenceDialog } from './evidence-dialog';
import { messages } from './messages';
import type { DisputeDetail, Evidence } from './queries';

interface EvidencePanelProps {
  readonly dispute: DisputeDetail;
  readonly evidence: readonly Evidence[];
}

export function EvidencePanel({ dispute, evidence }: EvidencePanelProps) {
  const [adding, setAdding] = useState(false);
  const mayAnswer = useMay('payments:write');
  const takesMore = mayAnswer && dispute.answers.includes('evidence');
  return (
    <Panel title={messages.evidence}>
      <Stack>
        {evidence.length === 0 && (
          <EmptyMessage title={messages.noEvidence} {...(takesMore && { hint: messages.noEvidenceHint })} />
        )}
        {evidence.map((piece) => (
          <Piece key={piece.id} disputeId={dispute.id} piece={piece} removable={takesMore} />
        ))}
        {takesMore && (
          <Group>
            <Button variant="default" onClick={() => setAdding(true)}>
              {messages.add}
            </Button>
          </Group>
        )}
      </Stack>
      {adding && <EvidenceDialog disputeId={dispute.id} close={() => setAdding(false)} />}
    </Panel>
  );
}

interface PieceProps {
  readonly disputeId: string;
  readonly piece: Evidence;
  readonly removable: boolean;
}

function Piece({ disputeId, piece, removable }: PieceProps) {
  const queryClient = useQueryClient();
  const { id, kind, text, file, state } = piece;
  const removing = useMutation({
    mutationFn: async () => {
      const params = { path: { id: disputeId, evidence_id: id } };
      await unwrapBody(api.DELETE('/user/disputes/{id}/evidence/{evidence_id}', { params }));
    },
    onSuccess: () => notifications.show({ color: 'teal', message: messages.removed }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['disputes'] }),
  });
  const words = file === null ? text : file.name;
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Text size="sm" fw={550}>
          {messages.evidenceKinds[kind]}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Badge tone={state === 'submitted' ? 'good' : state === 'unknown' ? 'attention' : 'neutral'}>
            {messages.states[state]}
          </Badge>
          {removable && state === 'draft' && (
            <Button
              size="compact-xs"
              variant="subtle"
              loading={removing.isPending}
              onClick={() => removing.mutate()}
              aria-label={`${messages.remove}: ${messages.evidenceKinds[kind]}`}
            >
              {messages.remove}
            </Button>
          )}
        </Group>
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {words ?? messages.erased}
      </Text>
      <FormError error={removing.error} fields={[]} />
    </Stack>
  );
}
