import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { failureWords } from '../../ui/failure-words';
import { OfferMenu } from '../offer-menu';
import { messages } from './messages';
import { PlanDialog } from './plan-dialog';
import type { Plan } from './queries';

/** What can be done with a plan. */
export function PlanMenu({ plan }: { readonly plan: Plan }) {
  const [asked, ask] = useState<'change' | 'deactivate' | null>(null);
  const { activate, deactivate } = useActivity(plan, () => ask(null));
  return (
    <>
      <OfferMenu
        label={messages.actions(plan.name)}
        change={() => ask('change')}
        activity={
          plan.is_active
            ? { label: messages.deactivate, act: () => ask('deactivate') }
            : { label: messages.activate, act: () => activate.mutate() }
        }
      />
      {asked === 'change' && <PlanDialog plan={plan} close={() => ask(null)} />}
      {asked === 'deactivate' && (
        <ConfirmDialog
          title={messages.deactivateTitle}
          about={messages.deactivateAbout(plan.name)}
          deed={messages.deactivate}
          dangerous
          pending={deactivate.isPending}
          error={deactivate.error}
          confirm={() => deactivate.mutate()}
          close={() => ask(null)}
        />
      )}
    </>
  );
}

function useActivity({ id: uuid }: Plan, deactivated: () => void) {
  const queryClient = useQueryClient();
  const params = { path: { uuid } };
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['plans'] });
  const activate = useMutation({
    mutationFn: () => answerOf(api.PATCH('/user/plans/{uuid}', { params, body: { is_active: true } })),
    onError: (error) => void notifications.show({ color: 'red', message: failureWords(error) }),
    onSettled,
  });
  const deactivate = useMutation({
    mutationFn: () => answerOf(api.DELETE('/user/plans/{uuid}', { params })),
    onSuccess: deactivated,
    onSettled,
  });
  return { activate, deactivate };
}
