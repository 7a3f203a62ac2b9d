import { accountRoutes } from './account/routes';
import { apiKeysRoute } from './api-keys/routes';
import { auditRoute } from './audit/routes';
import { couponsRoute } from './coupons/routes';
import { customerRoute, customersRoute } from './customers/routes';
import { disputeRoute, disputesRoute } from './disputes/routes';
import { gatewaysRoute } from './gateways/routes';
import { overviewRoute } from './overview/routes';
import { paymentLinksRoute } from './payment-links/routes';
import { paymentRoute, paymentsRoute } from './payments/routes';
import { plansRoute } from './plans/routes';
import {
  differenceRoute,
  differencesRoute,
  reportRoute,
  statementRoute,
  statementsRoute,
} from './reconciliation/routes';
import { rootRoute, signedInRoute } from './root';
import { routingRoute, settingsRoute } from './settings/routes';
import { mustEnrolRoute, ownAccountRoute } from './own-account/routes';
import { systemRoute } from './system/routes';
import { teamRoute } from './team/routes';
import { subscriptionRoute, subscriptionsRoute } from './subscriptions/routes';
import { webhookReceiverRoute } from './webhook-receiver/routes';
import { webhookRoute, webhooksRoute } from './webhooks/routes';

export const routeTree = rootRoute.addChildren([
  ...accountRoutes,
  mustEnrolRoute,
  signedInRoute.addChildren([
    overviewRoute,
    paymentsRoute,
    paymentRoute,
    disputesRoute,
    disputeRoute,
    statementsRoute,
    statementRoute,
    differencesRoute,
    differenceRoute,
    reportRoute,
    subscriptionsRoute,
    subscriptionRoute,
    customersRoute,
    customerRoute,
    paymentLinksRoute,
    plansRoute,
    couponsRoute,
    gatewaysRoute,
    webhooksRoute,
    webhookReceiverRoute,
    webhookRoute,
    settingsRoute,
    routingRoute,
    apiKeysRoute,
    auditRoute,
    teamRoute,
    systemRoute,
    ownAccountRoute,
  ]),
]);
