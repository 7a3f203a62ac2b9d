import { unwrapBody, api } from '../../api/client';
import { OfferMenu } from '../shared/offer-menu';
import { CouponDialog } from './coupon-dialog';
import { messages } from './messages';
import type { Coupon } from './queries';

export function CouponMenu({ coupon }: { readonly coupon: Coupon }) {
  const params = { path: { uuid: coupon.id } };
  return (
    <OfferMenu
      label={messages.actions(coupon.code)}
      listKey="coupons"
      isActive={coupon.is_active}
      editDialog={(close) => <CouponDialog coupon={coupon} close={close} />}
      activate={{
        label: messages.activate,
        run: () => unwrapBody(api.PATCH('/user/coupons/{uuid}', { params, body: { is_active: true } })),
      }}
      deactivate={{
        label: messages.deactivate,
        title: messages.deactivateTitle,
        text: messages.deactivateText(coupon.code),
        dangerous: true,
        run: () => unwrapBody(api.DELETE('/user/coupons/{uuid}', { params })),
      }}
    />
  );
}
