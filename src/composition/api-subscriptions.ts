import { subscriptionWorkflowId } from '../../workflows/messages';
import { FindCheckoutPage } from '../application/checkout/find-checkout-page';
import { OpenCheckout } from '../application/checkout/open-checkout';
import { PayCheckout } from '../application/checkout/pay-checkout';
import { PaymentLinks } from '../application/checkout/payment-links';
import { ShowCheckout } from '../application/checkout/show-checkout';
import { AdvanceSubscriptionClock } from '../application/subscriptions/advance-subscription-clock';
import { Coupons } from '../application/subscriptions/coupons';
import { CreateSubscription } from '../application/subscriptions/create-subscription';
import { OperateSubscription } from '../application/subscriptions/operate-subscription';
import { Plans } from '../application/subscriptions/plans';
import { Subscriptions } from '../application/subscriptions/subscriptions';
import type { Config } from '../config';
import type { AuthenticateCheckout } from '../http/auth/authentication';
import type { FindCheckoutPage as FindPage } from '../http/pages/checkout-page';
import type { CheckoutOperationsDeps } from '../http/routes/checkout';
import type { CouponOperationsDeps } from '../http/routes/coupons';
import type { PaymentCommandDeps } from '../http/routes/payment-commands';
import type { PaymentLinkOperationsDeps } from '../http/routes/payment-links';
import type { PaymentRouteDeps } from '../http/routes/payments';
import type { PlanOperationsDeps } from '../http/routes/plans';
import type { UserSubscriptionDeps, SubscriptionOperationsDeps } from '../http/routes/subscriptions';
import type { Logger } from '../log';
import { presentCouponDetails } from '../presenters/coupon';
import { presentPaymentLinkDetails, presentPublicLink } from '../presenters/payment-link';
import { presentPlanDetails } from '../presenters/plan';
import { presentSubscriptionDetail } from '../presenters/subscription';
import { hashRandomToken } from '../security/random-tokens';
import { SubscriptionWorkflows } from '../temporal/subscriptions';
import { workflowLink } from '../temporal/workflow-link';
import { createDeliveryDispatcher, createDeliveryWorkflows } from './api-companies';
import type { AppContext } from './app-context';

/** How much of a subscription's past its page shows. */
const SHOWN_CYCLES = 24;
const SHOWN_EVENTS = 50;

export function createSubscriptions(
  config: Config,
  parts: AppContext,
  log: Pick<Logger, 'error' | 'warn'>,
  workflows: Pick<SubscriptionWorkflows, 'awaitCharge' | 'awaitCommand' | 'wake'> = new SubscriptionWorkflows(
    parts.temporal,
    config.temporal.taskQueue,
  ),
): SubscriptionOperationsDeps & UserSubscriptionDeps {
  const starter = createDeliveryDispatcher(createDeliveryWorkflows(config, parts), log);
  const subscriptions = new Subscriptions(parts.subscriptions, parts.cycles);
  const deps = {
    ...parts,
    workflows,
    present: parts.presentSubscription,
    startDeliveries: (deliveries: Parameters<typeof starter.start>[0]) => starter.start(deliveries),
    requestHashKey: config.secrets.requestHashKey,
    syncTimeoutMs: config.payments.syncTimeoutMs,
    reportError: (subscriptionId: string, error: unknown) => {
      log.error({ subscription_id: subscriptionId, err: error }, 'no answer after the commit');
    },
  };
  return {
    subscriptions,
    createSubscription: new CreateSubscription(deps),
    operateSubscription: new OperateSubscription(deps),
    moveSubscriptionClock: new AdvanceSubscriptionClock(deps),
    subscriptionDetail: async (companyId, id) => {
      const subscription = await subscriptions.get(companyId, id);
      const { id: inner, uuid } = subscription.row;
      const [cycles, events] = await Promise.all([
        parts.cycles.list(inner, { number: 1, size: SHOWN_CYCLES }),
        parts.events.newestOf(companyId, uuid, SHOWN_EVENTS),
      ]);
      const { uiUrl: url, namespace } = config.temporal;
      const workflow = workflowLink({ url, namespace }, subscriptionWorkflowId(uuid));
      return presentSubscriptionDetail({ subscription, cycles: cycles.rows, events, workflow });
    },
  };
}

/** What a company sells by subscription, and the coupons for it. */
export function createCatalog(parts: AppContext): PlanOperationsDeps & CouponOperationsDeps {
  return {
    plans: new Plans({ ...parts, present: presentPlanDetails }),
    coupons: new Coupons({ ...parts, present: presentCouponDetails }),
  };
}

type Purchases = PaymentRouteDeps &
  PaymentCommandDeps &
  Pick<SubscriptionOperationsDeps, 'createSubscription' | 'operateSubscription'>;

/** Payment links, and how buyers pay at them; `purchases` makes what they buy. */
export function createCheckout(
  { publicBaseUrl }: Config,
  parts: AppContext,
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
