import type { OpenCheckout } from '../../application/checkout/open-checkout';
import type { CheckoutAnswer, PayCheckout } from '../../application/checkout/pay-checkout';
import type { ShowCheckout } from '../../application/checkout/show-checkout';
import type { Buyer } from '../../domain/checkout/checkout-session';
import type { PaymentLink } from '../../domain/checkout/payment-link';
import { inBuyersWords, presentCheckoutSession } from '../../presenters/checkout';
import type { components } from '../generated/openapi';
import type { OperationHandlers, OperationResponse } from '../server/operation';
import { presentAnswer } from './payment-answer';
import { presentSubscriptionAnswer } from './subscription-answer';

type Schemas = components['schemas'];

export interface CheckoutOperationsDeps {
  readonly openCheckout: OpenCheckout;
  readonly showCheckout: ShowCheckout;
  readonly payCheckout: PayCheckout;
  /** What anybody may know of a link. */
  readonly presentPublicLink: (link: PaymentLink) => Promise<object>;
}

type CheckoutOperation =
  | 'getPublicPaymentLink'
  | 'createLinkSession'
  | 'createCheckoutSession'
  | 'getCheckoutSession'
  | 'payCheckout';

/** One buyer's way to one purchase. */
export function checkoutOperations({
  openCheckout,
  showCheckout,
  payCheckout,
  presentPublicLink,
}: CheckoutOperationsDeps): Pick<OperationHandlers, CheckoutOperation> {
  return {
    getPublicPaymentLink: async ({ params }) => {
      const link = await openCheckout.linkAt(params.companySlug, params.linkSlug);
      return { status: 200, body: { data: await presentPublicLink(link) } };
    },

    createLinkSession: async ({ params, body }) => {
      const link = await openCheckout.linkAt(params.companySlug, params.linkSlug);
      const opened = await openCheckout.fromLink(link, {
        buyer: { name: body.full_name.trim(), email: body.email, document: body.cpf_cnpj },
        couponCode: body.coupon_code ?? null,
        paymentMethod: body.payment_method ?? null,
      });
      return { status: 201, body: presentCheckoutSession(await showCheckout.show(opened)) };
    },

    createCheckoutSession: async ({ company, body }) => {
      const opened = await openCheckout.ofCompany(company, body);
      return { status: 201, body: presentCheckoutSession(await showCheckout.show(opened)) };
    },

    getCheckoutSession: async ({ checkout }) => ({
      status: 200,
      body: presentCheckoutSession(await showCheckout.find(checkout)),
    }),

    payCheckout: async ({ checkout, idempotencyKey, receivedAt, body: { installments = 1, ...body } }) => {
      const request = { ...body, installments };
      return present(await payCheckout.execute({ checkout, idempotencyKey, request, receivedAt }));
    },
  };
}

/** A payment as its route answers it; a subscription always as made, also by the card that made up for a decline. */
function present(paid: CheckoutAnswer): OperationResponse {
  if (paid.kind === 'payment') return presentAnswer(paid.answer);
  const response = presentSubscriptionAnswer(paid.answer);
  return { ...response, status: 201, body: hideCustomer(response.body, paid.buyer) };
}

function hideCustomer(body: unknown, buyer: Buyer | null): object {
  const { data } = body as Schemas['SubscriptionResponse'];
  return { data: inBuyersWords(data, buyer) };
}
