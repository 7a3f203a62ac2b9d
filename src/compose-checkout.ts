import { FindCheckoutPage } from './application/find-checkout-page';
import { OpenCheckout } from './application/open-checkout';
import { PayCheckout } from './application/pay-checkout';
import { PaymentLinks } from './application/payment-links';
import { ShowCheckout } from './application/show-checkout';
import type { Parts } from './compose';
import type { Config } from './config';
import type { AuthenticateCheckout } from './http/authentication';
import type { FindCheckoutPage as FindPage } from './http/checkout-page';
import type { CheckoutOperationsDeps } from './http/routes/checkout';
import type { PaymentCommandDeps } from './http/routes/payment-commands';
import type { PaymentLinkOperationsDeps } from './http/routes/payment-links';
import type { PaymentRouteDeps } from './http/routes/payments';
import type { SubscriptionOperationsDeps } from './http/routes/subscriptions';
import { presentPaymentLinkDetails, presentPublicLink } from './presenters/payment-link';
import { hashRandomToken } from './security/random-tokens';

type Purchases = PaymentRouteDeps &
  PaymentCommandDeps &
  Pick<SubscriptionOperationsDeps, 'createSubscription' | 'operateSubscription'>;

/** Payment links, and how buyers pay at them; `purchases` makes what they buy. */
export function composeCheckout(
  { publicBaseUrl }: Config,
  parts: Parts,
  { findPayment, createPayment, operatePayment, createSubscription, operateSubscription }: Purchases,
): PaymentLinkOperationsDeps &
  CheckoutOperationsDeps & {
    readonly authenticateCheckout: AuthenticateCheckout;
    readonly findCheckoutPage: FindPage;
  } {
  const pages = new FindCheckoutPage(parts);
  const purchases = { findPayment, createPayment, operatePayment, createSubscription, operateSubscription };
  return {
    publicBaseUrl,
    paymentLinks: new PaymentLinks({ ...parts, present: presentPaymentLinkDetails }),
    openCheckout: new OpenCheckout(parts),
    showCheckout: new ShowCheckout({ ...parts, findPayment }),
    payCheckout: new PayCheckout({ ...parts, ...purchases }),
    presentPublicLink: async (link) => {
      const [{ brand }, companyName] = await Promise.all([
        parts.companyConfigs.load(link.companyId),
        parts.companies.nameOf(link.companyId),
      ]);
      return presentPublicLink(link, brand, { companyName, publicBaseUrl });
    },
    findCheckoutPage: async (companySlug, linkSlug) => {
      const found = await pages.at(companySlug, linkSlug);
      if (found === null) return null;
      const { link, brand, companyName, ...page } = found;
      return { ...page, offer: presentPublicLink(link, brand, { companyName, publicBaseUrl }) };
    },
    authenticateCheckout: async (token) => {
      const found = await parts.checkoutSessions.findByToken(hashRandomToken(token));
      return found && { ...found, token };
    },
  };
}
