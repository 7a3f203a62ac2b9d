import { unwrapBody, api, type Schema } from '../../api/client';
import { changedFields } from '../shared/changed-fields';
import { dayIn } from '../shared/days';
import type { Coupon } from './queries';

/** Named like the API's fields, so that API errors map to form fields. */
export interface CouponForm {
  code: string;
  name: string;
  description: string;
  discount_type: Coupon['discount_type'];
  /** Percent or cents, by discount type. */
  discount_value: number | null;
  max_redemptions: number | string;
  max_cycles: number | string;
  /** A date in the company's time zone. */
  valid_from: string;
  valid_until: string;
}

export function newCoupon(timeZone: string): CouponForm {
  return {
    code: '',
    name: '',
    description: '',
    discount_type: 'percentage',
    discount_value: 10,
    max_redemptions: '',
    max_cycles: '',
    valid_from: dayIn(timeZone, new Date()),
    valid_until: '',
  };
}

export function formOf(coupon: Coupon, timeZone: string): CouponForm {
  const { code, name, description, discount_type, discount_value, max_redemptions, max_cycles } = coupon;
  return {
    code,
    name,
    description: description ?? '',
    discount_type,
    discount_value,
    max_redemptions: max_redemptions ?? '',
    max_cycles: max_cycles ?? '',
    valid_from: dayIn(timeZone, new Date(coupon.valid_from)),
    valid_until: coupon.valid_until === null ? '' : dayIn(timeZone, new Date(coupon.valid_until)),
  };
}

function requestOf(form: CouponForm): Schema<'CouponRequest'> {
  return {
    ...form,
    description: form.description.trim() === '' ? null : form.description,
    discount_value: form.discount_value ?? 0,
    max_redemptions: numberOrNull(form.max_redemptions),
    max_cycles: numberOrNull(form.max_cycles),
    valid_until: form.valid_until === '' ? null : form.valid_until,
  };
}

function numberOrNull(entered: number | string): number | null {
  return entered === '' ? null : Number(entered);
}

interface CouponToSave {
  /** The coupon to edit, or undefined to create one. */
  readonly coupon: Coupon | undefined;
  readonly before: CouponForm;
  readonly form: CouponForm;
}

/** Creates a coupon, or sends only the changed fields of an existing one. */
export async function saveCoupon({ coupon, before, form }: CouponToSave): Promise<void> {
  const body = requestOf(form);
  if (coupon === undefined) {
    await unwrapBody(api.POST('/user/coupons', { body }));
    return;
  }
  const params = { path: { uuid: coupon.id } };
  await unwrapBody(
    api.PATCH('/user/coupons/{uuid}', { params, body: changedFields(body, requestOf(before)) }),
  );
}
