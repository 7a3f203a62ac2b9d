import { deliveryWorkflowId, paymentWorkflowId } from '../../workflows/messages';
import { CompanyGateways } from '../application/companies/company-gateways';
import { AdvancePaymentClock } from '../application/payments/advance-payment-clock';
import { CreatePayment, type CreatePaymentDeps } from '../application/payments/create-payment';
import { FindPayment } from '../application/payments/find-payment';
import { OperatePayment } from '../application/payments/operate-payment';
import { ResolvePayment } from '../application/payments/resolve-payment';
import type { Config } from '../config';
import type { GatewaysAndAuditDeps } from '../http/routes/gateways-and-audit';
import type { PaymentCommandDeps } from '../http/routes/payment-commands';
import type { PaymentRouteDeps } from '../http/routes/payments';
import type { UserPaymentDeps } from '../http/routes/user-payments';
import type { UserPaymentReadDeps } from '../http/routes/user-payments-read';
import { AuditLog } from '../persistence/read-models/audit-log';
import { GatewayStates } from '../persistence/read-models/gateway-states';
import { PaymentDetails } from '../persistence/read-models/payment-detail';
import { PaymentList } from '../persistence/read-models/payment-list';
import { PaymentWorkflows } from '../temporal/payments';
import { workflowLink } from '../temporal/workflow-link';
import type { AppContext } from './app-context';

export function createPayments(
  config: Config,
  parts: AppContext,
  reportError: CreatePaymentDeps['reportError'],
  workflows: Pick<PaymentWorkflows, 'awaitResult' | 'awaitOperation' | 'wake'> = new PaymentWorkflows(
    parts.temporal,
    config.temporal.taskQueue,
  ),
): PaymentRouteDeps & PaymentCommandDeps {
  const findPayment = new FindPayment(parts.db, parts.payments, parts.attempts, parts.deliveries);
  const { requestHashKey } = config.secrets;
  const { syncTimeoutMs } = config.payments;
  const deps = { ...parts, findPayment, workflows, reportError, requestHashKey, syncTimeoutMs };
  return {
    findPayment,
    paymentList: new PaymentList(parts.db, parts.attempts, parts.deliveries),
    createPayment: new CreatePayment(deps),
    operatePayment: new OperatePayment(deps),
    moveClock: new AdvancePaymentClock(deps),
  };
}

/** Payments as the company's people look at them. */
export function createPaymentDetails(
  { temporal: { uiUrl: url, namespace } }: Config,
  { db, payments, attempts }: AppContext,
  { paymentList }: Pick<UserPaymentReadDeps, 'paymentList'>,
): UserPaymentReadDeps {
  return {
    paymentList,
    paymentDetails: new PaymentDetails(db, payments, attempts),
    workflowLink: (transactionId) => workflowLink({ url, namespace }, paymentWorkflowId(transactionId)),
    deliveryLink: (deliveryId) => workflowLink({ url, namespace }, deliveryWorkflowId(deliveryId)),
  };
}

/** What a company's people do to its payments and gateways, and the log of all they do. */
export function createAdministration(
  config: Config,
  parts: AppContext,
  { findPayment, operatePayment }: PaymentRouteDeps & PaymentCommandDeps,
): UserPaymentDeps & GatewaysAndAuditDeps {
  return {
    operatePayment,
    resolvePayment: new ResolvePayment({
      findPayment,
      audit: parts.audit,
      workflows: new PaymentWorkflows(parts.temporal, config.temporal.taskQueue),
      syncTimeoutMs: config.payments.syncTimeoutMs,
    }),
    companyGateways: new CompanyGateways({ ...parts, gatewayStates: new GatewayStates(parts.db) }),
    auditLog: new AuditLog(parts.db),
  };
}
