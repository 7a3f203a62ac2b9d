import type {
  PaymentLinkChange,
  PaymentLinkRequest,
  PaymentLinks,
} from '../../application/checkout/payment-links';
import { readInstallmentTerms } from '../../application/companies/installment-terms-request';
import type { CreateOnce } from '../../application/shared/create-once';
import { userInitiator, apiKeyInitiator, type Initiator } from '../../domain/companies/audit-actor';
import { NO_OWN_INSTALLMENT_TERMS } from '../../domain/companies/installment-terms';
import { applyChange } from '../../domain/shared/change';
import { parseInstant } from '../../domain/time/instant';
import type { PaymentLink } from '../../domain/checkout/payment-link';
import { presentPage } from '../../presenters/page';
import { presentPaymentLink } from '../../presenters/payment-link';
import type { components } from '../generated/openapi';
import type { RouteHandlers, RouteRequest } from '../server/route';
import { answerCreation } from './creation';
import { pageRequest } from './page-request';

type Schemas = components['schemas'];

export interface PaymentLinkRouteDeps {
  readonly paymentLinks: PaymentLinks;
  readonly createOnce: CreateOnce;
  readonly publicBaseUrl: string;
}

type LinkRouteId =
  | 'createPaymentLink'
  | 'listPaymentLinks'
  | 'getPaymentLink'
  | 'updatePaymentLink'
  | 'deletePaymentLink';
type UserLinkRouteId =
  | 'createUserPaymentLink'
  | 'listUserPaymentLinks'
  | 'getUserPaymentLink'
  | 'updateUserPaymentLink'
  | 'deleteUserPaymentLink';

/** The same routes for API keys and for users. */
export function paymentLinkRoutes({
  paymentLinks,
  createOnce,
  publicBaseUrl,
}: PaymentLinkRouteDeps): Pick<RouteHandlers, LinkRouteId | UserLinkRouteId> {
  const present = (link: PaymentLink) => presentPaymentLink(link, publicBaseUrl);
  const create = (initiator: Initiator, request: RouteRequest<'createPaymentLink'>) =>
    answerCreation(createOnce, request, () => paymentLinks.create(initiator, requestOf(request.body)), {
      status: 201,
      present: (link) => ({ data: present(link) }),
    });
  const list = async ({ company, query }: RouteRequest<'listPaymentLinks'>) => {
    const page = pageRequest(query);
    const found = await paymentLinks.list(company.id, { isActive: query.is_active }, page);
    return { status: 200, body: presentPage(found, page, present) };
  };
  const get = async ({ company, params }: RouteRequest<'getPaymentLink'>) => ({
    status: 200,
    body: { data: present(await paymentLinks.get(company.id, params.token)) },
  });
  const update = async (initiator: Initiator, token: string, body: Schemas['PaymentLinkChange']) => {
    const changed = await paymentLinks.change(initiator, token, changeOf(body));
    return { status: 200, body: { data: present(changed) } };
  };
  const remove = async (initiator: Initiator, token: string) => {
    await paymentLinks.delete(initiator, token);
    return { status: 204 };
  };
  return {
    createPaymentLink: (request) => create(apiKeyInitiator(request), request),
    createUserPaymentLink: (request) => create(userInitiator(request), request),
    listPaymentLinks: list,
    listUserPaymentLinks: list,
    getPaymentLink: get,
    getUserPaymentLink: get,
    updatePaymentLink: (request) => update(apiKeyInitiator(request), request.params.token, request.body),
    updateUserPaymentLink: (request) => update(userInitiator(request), request.params.token, request.body),
    deletePaymentLink: (request) => remove(apiKeyInitiator(request), request.params.token),
    deleteUserPaymentLink: (request) => remove(userInitiator(request), request.params.token),
  };
}

function requestOf(body: Schemas['PaymentLinkRequest']): PaymentLinkRequest {
  return {
    name: body.name,
    description: body.description ?? null,
    type: body.type,
    amountCents: body.amount ?? null,
    planId: body.plan_id ?? null,
    currency: body.currency ?? null,
    paymentMethods: body.payment_methods ?? null,
    slug: body.slug ?? null,
    gatewayFirstTry: body.gateway_first_try ?? null,
    maxUses: body.max_uses ?? null,
    expiresAt: dateOf(body.expires_at) ?? null,
    successUrl: body.success_url ?? null,
    cancelUrl: body.cancel_url ?? null,
    metadata: body.metadata ?? null,
    installments: applyChange(NO_OWN_INSTALLMENT_TERMS, readInstallmentTerms(body)),
    isActive: true,
  };
}

function changeOf(body: Schemas['PaymentLinkChange']): PaymentLinkChange {
  return {
    name: body.name,
    description: body.description,
    type: body.type,
    amountCents: body.amount,
    planId: body.plan_id,
    currency: body.currency,
    paymentMethods: body.payment_methods,
    slug: body.slug,
    gatewayFirstTry: body.gateway_first_try,
    maxUses: body.max_uses,
    expiresAt: dateOf(body.expires_at),
    successUrl: body.success_url,
    cancelUrl: body.cancel_url,
    metadata: body.metadata,
    installments: readInstallmentTerms(body),
    isActive: body.is_active,
  };
}

function dateOf(text: string | null | undefined): Date | null | undefined {
  return typeof text === 'string' ? parseInstant('expires_at', text) : text;
}
