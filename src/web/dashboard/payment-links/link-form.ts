import { unwrapBody, api, type Schema } from '../../api/client';
import { changedFields } from '../shared/changed-fields';
import { installmentFormOf, installmentTermsOf, type InstallmentForm } from '../shared/installment-form';
import { dayAfter, dayIn, startOfDay } from '../shared/days';
import type { GatewaySlug } from '../payments/status-labels';
import type { PaymentLink } from './queries';

/** Payment methods in the order in which they are offered; the first is preselected. */
export const METHODS = {
  'card,pix': ['card', 'pix'],
  'pix,card': ['pix', 'card'],
  card: ['card'],
  pix: ['pix'],
} satisfies Readonly<Record<string, Schema<'CheckoutMethod'>[]>>;

/** Named like the API's fields, so that API errors map to form fields. */
export interface LinkForm extends InstallmentForm {
  type: PaymentLink['type'];
  name: string;
  description: string;
  /** In cents. */
  amount: number | null;
  currency: string;
  plan_id: string;
  payment_methods: keyof typeof METHODS;
  slug: string;
  max_uses: number | string;
  /** The last valid day, in the company's time zone. */
  expires_at: string;
  gateway_first_try: GatewaySlug | '';
  success_url: string;
  cancel_url: string;
}

export const NEW_LINK: LinkForm = {
  type: 'one_time',
  name: '',
  description: '',
  amount: null,
  currency: 'BRL',
  plan_id: '',
  payment_methods: 'card,pix',
  slug: '',
  max_uses: '',
  expires_at: '',
  gateway_first_try: '',
  success_url: '',
  cancel_url: '',
  max_installments: '',
  min_installment_amount: null,
  interest: '',
  interest_rates: {},
};

export function formOf(link: PaymentLink, timeZone: string): LinkForm {
  const { type, name, amount, currency, slug, expires_at: expiry } = link;
  return {
    type,
    name,
    description: link.description ?? '',
    amount,
    currency,
    plan_id: link.plan_id ?? '',
    payment_methods: link.payment_methods.join(',') as keyof typeof METHODS,
    slug,
    max_uses: link.max_uses ?? '',
    // The API's expiry is exclusive.
    expires_at: expiry === null ? '' : dayIn(timeZone, new Date(Date.parse(expiry) - 1)),
    gateway_first_try: (link.gateway_first_try ?? '') as GatewaySlug | '',
    success_url: link.success_url ?? '',
    cancel_url: link.cancel_url ?? '',
    ...installmentFormOf(link),
  };
}

/** Pix is available for one-time payments in BRL. */
export function acceptsPix({ type, currency }: LinkForm): boolean {
  return type === 'one_time' && currency === 'BRL';
}

/** Cards pay one-time payments in BRL in installments. */
export function acceptsInstallments(form: LinkForm): boolean {
  return acceptsPix(form) && METHODS[form.payment_methods].some((method) => method === 'card');
}

function requestOf(form: LinkForm, timeZone: string): Schema<'PaymentLinkRequest'> {
  return {
    type: form.type,
    name: form.name,
    description: textOrNull(form.description),
    ...(form.type === 'one_time'
      ? { amount: form.amount, currency: form.currency }
      : { plan_id: textOrNull(form.plan_id) }),
    ...(acceptsPix(form) && { payment_methods: METHODS[form.payment_methods] }),
    ...(acceptsInstallments(form) && installmentTermsOf(form)),
    slug: textOrNull(form.slug),
    max_uses: form.max_uses === '' ? null : Number(form.max_uses),
    expires_at: form.expires_at === '' ? null : startOfDay(dayAfter(form.expires_at), timeZone).toISOString(),
    gateway_first_try: form.gateway_first_try === '' ? null : form.gateway_first_try,
    success_url: textOrNull(form.success_url),
    cancel_url: textOrNull(form.cancel_url),
  };
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

interface LinkToSave {
  /** The link to edit, or undefined to create one. */
  readonly link: PaymentLink | undefined;
  readonly before: LinkForm;
  readonly form: LinkForm;
  readonly timeZone: string;
}

/** Creates a link, or sends only the changed fields of an existing one. */
export async function saveLink({ link, before, form, timeZone }: LinkToSave): Promise<PaymentLink> {
  const body = requestOf(form, timeZone);
  if (link === undefined) return (await unwrapBody(api.POST('/user/payment-links', { body }))).data;
  const changed = changedFields(body, requestOf(before, timeZone)) as Schema<'PaymentLinkChange'>;
  const params = { path: { token: link.token } };
  return (await unwrapBody(api.PATCH('/user/payment-links/{token}', { params, body: changed }))).data;
}
