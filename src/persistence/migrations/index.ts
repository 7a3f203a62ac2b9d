import type { Migration } from './migration';
import { migration as initial } from './0001-initial';
import { migration as recipientConsent } from './0002-recipient-consent';
import { migration as callbackRefunds } from './0003-callback-refunds';
import { migration as holdDetail } from './0004-hold-detail';
import { migration as recipientAuthorization } from './0005-recipient-authorization';
import { migration as unrecognizedAnswers } from './0006-unrecognized-answers';
import { migration as paymentMetadata } from './0007-payment-metadata';
import { migration as secretKeys } from './0008-secret-keys';
import { migration as gatewayCardTokens } from './0009-gateway-card-tokens';
import { migration as operationExports } from './0010-operation-exports';
import { migration as cardFingerprintAliases } from './0011-card-fingerprint-aliases';
import { migration as userRoles } from './0012-user-roles';
import { migration as members } from './0013-members';
import { migration as modes } from './0014-modes';
import { migration as twoFactor } from './0015-two-factor';
import { migration as callbackModes } from './0016-callback-modes';
import { migration as ledger } from './0017-ledger';
import { migration as disputes } from './0018-disputes';
import { migration as restores } from './0020-restores';
import { migration as disputeRequests } from './0021-dispute-requests';
import { migration as customerNames } from './0022-customer-names';
import { migration as paymentsOrderPrefix } from './0023-payments-order-prefix';
import { migration as paymentsAmount } from './0024-payments-amount';
import { migration as paymentsLastFour } from './0025-payments-last-four';
import { migration as paymentsByCustomer } from './0026-payments-by-customer';
import { migration as search } from './0027-search';
import { migration as retention } from './0028-retention';
import { migration as requestDemand } from './0029-request-demand';
import { migration as disputeEvidence } from './0031-dispute-evidence';
import { migration as userLanguage } from './0032-user-language';
import { migration as disputeConsequences } from './0034-dispute-consequences';
import { migration as settlements } from './0035-settlements';
import { migration as notes } from './0036-notes';
import { migration as restoredOperations } from './0040-restored-operations';
import { migration as restoreListings } from './0041-restore-listings';
import { migration as requestedInquiries } from './0037-requested-inquiries';
import { migration as failedDeliveries } from './0038-failed-deliveries';
import { migration as disputeMails } from './0042-dispute-mails';
import { migration as paymentsPaidOtherAmount } from './0043-payments-paid-other-amount';
import { migration as disputesUndecided } from './0044-disputes-undecided';
import { migration as revenueAndRuleCharges } from './0049-revenue-and-rule-charges';
import { migration as onboarding } from './0050-onboarding';
import { migration as settlementItemsPayment } from './0047-settlement-items-payment';
import { migration as routingReasons } from './0051-routing-reasons';
import { migration as receipts } from './0052-receipts';
import { migration as releasedCards } from './0045-released-cards';

/** In the order in which they are applied. */
export const migrations: readonly Migration[] = [
  initial,
  recipientConsent,
  callbackRefunds,
  holdDetail,
  recipientAuthorization,
  unrecognizedAnswers,
  paymentMetadata,
  secretKeys,
  gatewayCardTokens,
  operationExports,
  cardFingerprintAliases,
  userRoles,
  members,
  modes,
  twoFactor,
  callbackModes,
  ledger,
  disputes,
  restores,
  disputeRequests,
  customerNames,
  paymentsOrderPrefix,
  paymentsAmount,
  paymentsLastFour,
  paymentsByCustomer,
  search,
  retention,
  requestDemand,
  disputeEvidence,
  userLanguage,
  disputeConsequences,
  settlements,
  notes,
  restoredOperations,
  restoreListings,
  requestedInquiries,
  failedDeliveries,
  disputeMails,
  paymentsPaidOtherAmount,
  disputesUndecided,
  releasedCards,
  revenueAndRuleCharges,
  onboarding,
  settlementItemsPayment,
  routingReasons,
  receipts,
];
