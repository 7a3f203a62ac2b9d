import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { failureWords } from '../../ui/failure-words';
import { messages as shared } from '../../ui/messages';
import { OfferMenu } from '../offer-menu';
import { LinkDialog } from './link-dialog';
import { messages } from './messages';
import type { PaymentLink } from './queries';

/** What can be done with a link. */
export function LinkMenu({ link }: { readonly link: PaymentLink }) {
  const [asked, ask] = useState<'change' | 'off' | 'delete' | null>(null);
  const close = () => ask(null);
  const { turnOn, turnOff, remove } = useChanges(link, close);
  return (
    <>
      <OfferMenu
        label={messages.actions(link.name)}
        change={() => ask('change')}
        activity={
          link.is_active
            ? { label: messages.turnOff, act: () => ask('off') }
            : { label: messages.turnOn, act: () => turnOn.mutate() }
        }
        remove={() => ask('delete')}
      />
      {asked === 'change' && <LinkDialog link={link} close={close} />}
      {asked === 'off' && (
        <ConfirmDialog
          title={messages.turnOffTitle}
          about={messages.turnOffAbout(link.name)}
          deed={messages.turnOff}
          pending={turnOff.isPending}
          error={turnOff.error}
          confirm={() => turnOff.mutate()}
          close={close}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={messages.deleteTitle}
          about={messages.deleteAbout(link.name)}
          deed={shared.delete}
          dangerous
          pending={remove.isPending}
          error={remove.error}
          confirm={() => remove.mutate()}
          close={close}
        />
      )}
    </>
  );
}

function useChanges({ token }: PaymentLink, done: () => void) {
  const queryClient = useQueryClient();
  const params = { path: { token } };
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['payment-links'] });
  const turn = (is_active: boolean) =>
    answerOf(api.PATCH('/user/payment-links/{token}', { params, body: { is_active } }));
  const turnOn = useMutation({
    mutationFn: () => turn(true),
    onError: (error) => void notifications.show({ color: 'red', message: failureWords(error) }),
    onSettled,
  });
  const turnOff = useMutation({ mutationFn: () => turn(false), onSuccess: done, onSettled });
  const remove = useMutation({
    mutationFn: () => answerOf(api.DELETE('/user/payment-links/{token}', { params })),
    onSuccess: done,
    onSettled,
  });
  return { turnOn, turnOff, remove };
}
