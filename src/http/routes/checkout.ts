import type { CreateOnce } from '../../application/shared/create-once';
import type { CheckoutAnswer } from '../../application/checkout/checkout-answer';
import type { OpenCheckout } from '../../application/checkout/open-checkout';
import type { PayCheckout } from '../../application/checkout/pay-checkout';
import type { ShowCheckout } from '../../application/checkout/show-checkout';
import type { PaymentLink } from '../../domain/checkout/payment-link';
import { presentCheckoutSession } from '../../presenters/checkout';
import { toPublicPayment, withBuyerDetails } from '../../presenters/public-checkout';
import type { components } from '../generated/openapi';
import type { RouteHandlers, RouteResponse } from '../server/route';
import { answerSecretCreation } from './creation';
import { presentAnswer } from './payment-answer';
import { presentSubscriptionAnswer } from './subscription-answer';

type Schemas = components['schemas'];

export interface CheckoutRouteDeps {
  readonly openCheckout: OpenCheckout;
  readonly showCheckout: ShowCheckout;
  readonly payCheckout: PayCheckout;
  readonly createOnce: CreateOnce;
  /** The public view of a link. */
  readonly presentPublicLink: (link: PaymentLink) => Promise<object>;
}

type CheckoutRouteId =
  | 'getPublicPaymentLink'
  | 'createLinkSession'
  | 'createCheckoutSession'
  | 'getCheckoutSession'
  | 'payCheckout';

export function checkoutRoutes({
  openCheckout,
  showCheckout,
  payCheckout,
  createOnce,
  presentPublicLink,
}: CheckoutRouteDeps): Pick<RouteHandlers, CheckoutRouteId> {
  return {
    getPublicPaymentLink: async ({ params }) => {
      const link = await openCheckout.findLink(params.companySlug, params.linkSlug);
      return { status: 200, body: { data: await presentPublicLink(link) } };
    },

    createLinkSession: async ({ params, body }) => {
      const link = await openCheckout.findLink(params.companySlug, params.linkSlug);
      const opened = await openCheckout.openFromLink(link, {
        buyer: { name: body.full_name, email: body.email, document: body.cpf_cnpj ?? null },
        couponCode: body.coupon_code ?? null,
        paymentMethod: body.payment_method ?? null,
      });
      return { status: 201, body: presentCheckoutSession(await showCheckout.show(opened)) };
    },

    createCheckoutSession: (request) => {
      const { company, body } = request;
      return answerSecretCreation(createOnce, request, () => openCheckout.openForCompany(company, body), {
        status: 201,
        present: async (opened) => presentCheckoutSession(await showCheckout.show(opened)),
        idOf: ({ session }) => session.merchantOrderId,
      });
    },

    getCheckoutSession: async ({ checkout }) => ({
      status: 200,
      body: presentCheckoutSession(await showCheckout.find(checkout)),
    }),

    payCheckout: async ({ checkout, idempotencyKey, receivedAt, address, ip, language, body }) => {
      const request = { ...body, installments: body.installments ?? 1 };
      return present(
        await payCheckout.execute({ checkout, idempotencyKey, request, receivedAt, address, ip, language }),
      );
    },
  };
}

/** A subscription is always 201, also if this request charged another card after a decline. */
function present(paid: CheckoutAnswer): RouteResponse {
  if (paid.kind === 'payment') {
    const response = presentAnswer(paid.answer);
    return { ...response, body: toPublicPayment(response.body as Schemas['Payment'], paid.party) };
  }
  const response = presentSubscriptionAnswer(paid.answer);
  const { data } = response.body as Schemas['SubscriptionResponse'];
  return { ...response, status: 201, body: { data: withBuyerDetails(data, paid.party) } };
}
