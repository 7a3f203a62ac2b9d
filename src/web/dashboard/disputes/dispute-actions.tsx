import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrapBody, api } from '../../api/client';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { money } from '../../ui/formats';
import { useMay } from '../shared/allowed';
import { WorkflowLink } from '../shared/workflow-link';
import { messages } from './messages';
import type { Dispute, DisputeDetail, Evidence } from './queries';

type Answer = 'accept' | 'submit';

interface DisputeActionsProps {
  readonly dispute: DisputeDetail;
  readonly evidence: readonly Evidence[];
}

/** What the company can answer now. */
export function DisputeActions({ dispute, evidence }: DisputeActionsProps) {
  const [chosen, choose] = useState<Answer | null>(null);
  const mayAnswer = useMay('payments:write');
  const answers = mayAnswer ? dispute.answers : [];
  const hasDrafts = evidence.some(({ state }) => state === 'draft');
  return (
    <>
      {answers.includes('accept') && (
        <Button variant="default" onClick={() => choose('accept')}>
          {messages.accept}
        </Button>
      )}
      {answers.includes('evidence') && hasDrafts && (
        <Button onClick={() => choose('submit')}>{messages.submit}</Button>
      )}
      <WorkflowLink workflow={dispute.workflow} />
      {chosen !== null && <AnswerDialog dispute={dispute} answer={chosen} close={() => choose(null)} />}
    </>
  );
}

interface AnswerDialogProps {
  readonly dispute: Dispute;
  readonly answer: Answer;
  readonly close: () => void;
}

function AnswerDialog({ dispute, answer, close }: AnswerDialogProps) {
  const queryClient = useQueryClient();
  const params = { path: { id: dispute.id } };
  const isAcceptance = answer === 'accept';
  const sending = useMutation({
    mutationFn: () =>
      isAcceptance
        ? unwrapBody(api.POST('/user/disputes/{id}/accept', { params }))
        : unwrapBody(api.POST('/user/disputes/{id}/submit', { params })),
    onSuccess: () => {
      notifications.show({ color: 'teal', message: isAcceptance ? messages.accepted : messages.submitted });
      close();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['disputes'] }),
  });
  return (
    <ConfirmDialog
      title={isAcceptance ? messages.acceptTitle : messages.submitTitle}
      action={isAcceptance ? messages.accept : messages.submit}
      dangerous={isAcceptance}
      pending={sending.isPending}
      error={sending.error}
      confirm={() => sending.mutate()}
      close={close}
    >
      {isAcceptance ? messages.acceptText(money(dispute.amount, dispute.currency)) : messages.submitText}
    </ConfirmDialog>
  );
}
