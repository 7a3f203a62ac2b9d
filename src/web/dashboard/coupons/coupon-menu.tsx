import { answerOf, api } from '../../api/client';
import { OfferMenu } from '../shared/offer-menu';
import { CouponDialog } from './coupon-dialog';
import { messages } from './messages';
import type { Coupon } from './queries';

/** What can be done with a coupon. */
export function CouponMenu({ coupon }: { readonly coupon: Coupon }) {
  const params = { path: { uuid: coupon.id } };
  return (
    <OfferMenu
      label={messages.actions(coupon.code)}
      shownBy="coupons"
      isActive={coupon.is_active}
      dialog={(close) => <CouponDialog coupon={coupon} close={close} />}
      turnOn={{
        label: messages.activate,
        act: () => answerOf(api.PATCH('/user/coupons/{uuid}', { params, body: { is_active: true } })),
      }}
      turnOff={{
        label: messages.deactivate,
        title: messages.deactivateTitle,
        about: messages.deactivateAbout(coupon.code),
        dangerous: true,
        act: () => answerOf(api.DELETE('/user/coupons/{uuid}', { params })),
      }}
    />
  );
}
