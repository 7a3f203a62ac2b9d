import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../../api/client';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { failureWords } from '../../ui/failure-words';
import { OfferMenu } from '../offer-menu';
import { messages } from './messages';
import { CouponDialog } from './coupon-dialog';
import type { Coupon } from './queries';

/** What can be done with a coupon. */
export function CouponMenu({ coupon }: { readonly coupon: Coupon }) {
  const [asked, ask] = useState<'change' | 'deactivate' | null>(null);
  const { activate, deactivate } = useActivity(coupon, () => ask(null));
  return (
    <>
      <OfferMenu
        label={messages.actions(coupon.code)}
        change={() => ask('change')}
        activity={
          coupon.is_active
            ? { label: messages.deactivate, act: () => ask('deactivate') }
            : { label: messages.activate, act: () => activate.mutate() }
        }
      />
      {asked === 'change' && <CouponDialog coupon={coupon} close={() => ask(null)} />}
      {asked === 'deactivate' && (
        <ConfirmDialog
          title={messages.deactivateTitle}
          about={messages.deactivateAbout(coupon.code)}
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

function useActivity({ id: uuid }: Coupon, deactivated: () => void) {
  const queryClient = useQueryClient();
  const params = { path: { uuid } };
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['coupons'] });
  const activate = useMutation({
    mutationFn: () => answerOf(api.PATCH('/user/coupons/{uuid}', { params, body: { is_active: true } })),
    onError: (error) => void notifications.show({ color: 'red', message: failureWords(error) }),
    onSettled,
  });
  const deactivate = useMutation({
    mutationFn: () => answerOf(api.DELETE('/user/coupons/{uuid}', { params })),
    onSuccess: deactivated,
    onSettled,
  });
  return { activate, deactivate };
}
