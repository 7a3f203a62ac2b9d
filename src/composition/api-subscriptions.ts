import { subscriptionWorkflowId } from '../../workflows/subscriptions/messages';
import { CardTestingGuard } from '../application/checkout/card-testing-guard';
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
import type { LoadCheckoutPage } from '../http/pages/checkout-page';
import type { CheckoutRouteDeps } from '../http/routes/checkout';
import type { CouponRouteDeps } from '../http/routes/coupons';
import type { PaymentCommandRouteDeps } from '../http/routes/payment-commands';
import type { PaymentLinkRouteDeps } from '../http/routes/payment-links';
import type { PaymentRouteDeps } from '../http/routes/payments';
import type { PlanRouteDeps } from '../http/routes/plans';
import type { UserSubscriptionRouteDeps, SubscriptionRouteDeps } from '../http/routes/subscriptions';
import type { Logger } from '../log';
import { presentCouponDetails } from '../presenters/coupon';
import { presentPaymentLinkDetails, presentPublicLink } from '../presenters/payment-link';
import { presentPlanDetails } from '../presenters/plan';
import { listCycleCharges } from '../persistence/subscriptions/cycle-charges';
import { presentSubscriptionDetail } from '../presenters/subscription';
import { hashRandomToken } from '../security/random-tokens';
import { SubscriptionWorkflows } from '../temporal/subscriptions';
import type { DeliveryRef } from '../temporal/webhook-deliveries';
import { workflowLink } from '../temporal/workflow-link';
import {
  createCardVerification,
  createCreateOnce,
  createDeliveryDispatcher,
  createDeliveryWorkflows,
} from './api-companies';
import type { AppContext } from './app-context';

/** A subscription's page shows at most this many cycles and events. */
const MAX_CYCLES = 24;
const MAX_EVENTS = 50;

export function createSubscriptions(
  config: Config,
  context: AppContext,
  log: Pick<Logger, 'error' | 'warn'>,
  workflows: Pick<SubscriptionWorkflows, 'awaitCharge' | 'awaitCommand' | 'wake'> = new SubscriptionWorkflows(
    context.temporal,
    config.temporal.taskQueue,
  ),
): SubscriptionRouteDeps & UserSubscriptionRouteDeps {
  const dispatcher = createDeliveryDispatcher(createDeliveryWorkflows(config, context), log);
  const subscriptions = new Subscriptions(context.subscriptions, context.cycles);
  const deps = {
    ...context,
    workflows,
    verifyCard: createCardVerification(config, context),
    present: context.presentSubscription,
    startDeliveries: (deliveries: readonly DeliveryRef[]) => dispatcher.dispatch(deliveries),
    requestHashKeys: config.secrets.requestHashKeys,
    syncTimeoutMs: config.payments.syncTimeoutMs,
    reportError: (subscriptionId: string, error: unknown) => {
      log.error({ subscription_id: subscriptionId, err: error }, 'subscription result unknown after commit');
    },
  };
  return {
    subscriptions,
    createSubscription: new CreateSubscription(deps),
    operateSubscription: new OperateSubscription(deps),
    advanceSubscriptionClock: new AdvanceSubscriptionClock(deps),
    subscriptionDetail: async (companyId, id) => {
      const subscription = await subscriptions.get(companyId, id);
      const { id: rowId, uuid } = subscription.row;
      const [cycles, events] = await Promise.all([
        context.cycles.list(rowId, { number: 1, size: MAX_CYCLES }),
        context.events.listNewest(companyId, uuid, MAX_EVENTS),
      ]);
      const { uiUrl: url, namespace } = config.temporal;
      const workflow = workflowLink({ url, namespace }, subscriptionWorkflowId(uuid));
      const charges = await listCycleCharges(
        context.db,
        cycles.rows.map(({ id }) => id),
      );
      return presentSubscriptionDetail({ subscription, cycles: cycles.rows, charges, events, workflow });
    },
  };
}

/** Plans and coupons. */
export function createCatalog(config: Config, context: AppContext): PlanRouteDeps & CouponRouteDeps {
  return {
    createOnce: createCreateOnce(config, context),
    plans: new Plans({ ...context, present: presentPlanDetails }),
    coupons: new Coupons({ ...context, present: presentCouponDetails }),
  };
}

type Purchases = PaymentRouteDeps &
  PaymentCommandRouteDeps &
  Pick<SubscriptionRouteDeps, 'createSubscription' | 'operateSubscription'>;

/** Payment links and the checkout; the last parameter creates the buyers' payments and subscriptions. */
export function createCheckout(
  config: Config,
  context: AppContext,
  { findPayment, createPayment, operatePayment, createSubscription, operateSubscription }: Purchases,
): PaymentLinkRouteDeps &
  CheckoutRouteDeps & {
    readonly authenticateCheckout: AuthenticateCheckout;
    readonly findCheckoutPage: LoadCheckoutPage;
  } {
  const { publicBaseUrl, rateLimits } = config;
  const pages = new FindCheckoutPage(context);
  const purchases = { findPayment, createPayment, operatePayment, createSubscription, operateSubscription };
  return {
    publicBaseUrl,
    createOnce: createCreateOnce(config, context),
    paymentLinks: new PaymentLinks({ ...context, present: presentPaymentLinkDetails }),
    openCheckout: new OpenCheckout(context),
    showCheckout: new ShowCheckout({ ...context, findPayment }),
    payCheckout: new PayCheckout({
      ...context,
      ...purchases,
      cardTesting: new CardTestingGuard(rateLimits.declinedCards, context.now),
    }),
    presentPublicLink: async (link) => {
      const [{ brand }, companyName] = await Promise.all([
        context.companyConfigs.get(link.companyId),
        context.companies.getName(link.companyId),
      ]);
      return presentPublicLink(link, brand, { companyName, publicBaseUrl });
    },
    findCheckoutPage: async (companySlug, linkSlug) => {
      const found = await pages.findBySlugs(companySlug, linkSlug);
      if (found === null) return null;
      const { link, brand, companyName, ...page } = found;
      return { ...page, offer: presentPublicLink(link, brand, { companyName, publicBaseUrl }) };
    },
    authenticateCheckout: async (token) => {
      const found = await context.checkoutSessions.findByToken(hashRandomToken(token));
      return found && { ...found, token };
    },
  };
}
