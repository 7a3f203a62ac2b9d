import { deliveryWorkflowId } from '../../workflows/messages';
import { CompanyGateways } from '../application/companies/company-gateways';
import { SimulateRouting } from '../application/companies/simulate-routing';
import { Exports } from '../application/exports/exports';
import { ExportSlots } from '../application/exports/export-slots';
import { AdvancePaymentClock } from '../application/payments/advance-payment-clock';
import { CreatePayment, type CreatePaymentDeps } from '../application/payments/create-payment';
import { noFirstAttempts } from '../application/payments/first-attempts';
import { FindPayment } from '../application/payments/find-payment';
import { OperatePayment } from '../application/payments/operate-payment';
import { RequestInquiry } from '../application/payments/request-inquiry';
import { ResolvePayment, type ResolvePaymentDeps } from '../application/payments/resolve-payment';
import { ListEvents } from '../application/webhooks/list-events';
import type { Config } from '../config';
import type { GatewayAndAuditRouteDeps } from '../http/routes/gateways-and-audit';
import type { LedgerRouteDeps } from '../http/routes/ledger/ledger-routes';
import type { PaymentCommandRouteDeps } from '../http/routes/payment-commands';
import type { PaymentRouteDeps } from '../http/routes/payments';
import type { RoutingRouteDeps } from '../http/routes/routing/routing-routes';
import type { UserPaymentRouteDeps } from '../http/routes/user-payments';
import type { UserPaymentReadRouteDeps } from '../http/routes/user-payments-read';
import { UnrecognizedAnswerRepository } from '../persistence/gateways/unrecognized-answer-repository';
import { AuditLog } from '../persistence/read-models/audit-log';
import { ExportKeyReader } from '../persistence/read-models/export-keys';
import { listExportedOperations } from '../persistence/read-models/exported-operations';
import { GatewayStates } from '../persistence/read-models/gateway-states';
import { LedgerReader } from '../persistence/read-models/ledger';
import { PaymentDetailReader } from '../persistence/read-models/payment-detail';
import { PaymentList } from '../persistence/read-models/payment-list';
import { countRuleCharges } from '../persistence/read-models/rule-traffic';
import { PaymentWorkflows } from '../temporal/payments';
import { workflowLink, workflowOfPayment } from '../temporal/workflow-link';
import type { AppContext } from './app-context';

export interface PaymentParts {
  /** Those of the context's Temporal unless given. */
  readonly workflows?: Pick<
    PaymentWorkflows,
    'awaitResult' | 'awaitStarted' | 'awaitOperation' | 'awaitStartedOperation' | 'wake'
  >;
  /** Left out: the workers make all attempts. */
  readonly firstAttempts?: CreatePaymentDeps['firstAttempts'] | undefined;
}

export function createPayments(
  config: Config,
  context: AppContext,
  reportError: CreatePaymentDeps['reportError'],
  {
    workflows = new PaymentWorkflows(context.temporal, config.temporal.taskQueue),
    firstAttempts = noFirstAttempts,
  }: PaymentParts = {},
): PaymentRouteDeps & PaymentCommandRouteDeps {
  const findPayment = new FindPayment(context.db, context.payments, context.attempts, context.deliveries);
  const { requestHashKeys } = config.secrets;
  const { syncTimeoutMs } = config.payments;
  const deps = {
    ...context,
    findPayment,
    workflows,
    firstAttempts,
    reportError,
    requestHashKeys,
    syncTimeoutMs,
  };
  return {
    findPayment,
    paymentList: new PaymentList(context.db, context.payments, context.attempts, context.deliveries),
    createPayment: new CreatePayment(deps),
    operatePayment: new OperatePayment(deps),
    advanceClock: new AdvancePaymentClock(deps),
  };
}

/** Payments for the company's users. */
export function createPaymentDetails(
  { temporal: { uiUrl: url, namespace } }: Config,
  { db, payments, attempts }: AppContext,
  { paymentList }: Pick<UserPaymentReadRouteDeps, 'paymentList'>,
): UserPaymentReadRouteDeps {
  return {
    paymentList,
    paymentDetails: new PaymentDetailReader(db, payments, attempts),
    workflowLink: ({ payment, attempts }) =>
      workflowLink({ url, namespace }, workflowOfPayment(payment, attempts)),
    deliveryLink: (deliveryId) => workflowLink({ url, namespace }, deliveryWorkflowId(deliveryId)),
  };
}

/** Operations by the company's users on payments and gateways, and the audit log. */
export function createAdministration(
  config: Config,
  context: AppContext,
  { findPayment, operatePayment }: PaymentRouteDeps & PaymentCommandRouteDeps,
  reportError: ResolvePaymentDeps['reportError'],
): UserPaymentRouteDeps & Omit<GatewayAndAuditRouteDeps, 'gateways'> {
  const workflows = new PaymentWorkflows(context.temporal, config.temporal.taskQueue);
  return {
    operatePayment,
    requestInquiry: new RequestInquiry({ ...context, workflows, reportError }),
    resolvePayment: new ResolvePayment({
      ...context,
      findPayment,
      reportError,
      workflows,
      syncTimeoutMs: config.payments.syncTimeoutMs,
    }),
    companyGateways: new CompanyGateways({
      ...context,
      gatewayStates: new GatewayStates(context.db),
      keptAnswers: new UnrecognizedAnswerRepository(context.db),
    }),
    auditLog: new AuditLog(context.db),
  };
}

/** Exports of everything a company has. They share the slots of this process. */
export function createExports({ db, payments, subscriptions, events }: AppContext): Exports {
  return new Exports({
    ...{ payments, subscriptions, keys: new ExportKeyReader(db), slots: new ExportSlots() },
    listOperations: (ids) => listExportedOperations(db, ids),
    listEvents: new ListEvents(events),
  });
}

export function createRouting(context: AppContext): RoutingRouteDeps {
  return {
    simulateRouting: new SimulateRouting(context),
    countRuleCharges: (companyId, hours) => countRuleCharges(context.db, companyId, hours),
  };
}

export function createLedger({ db }: AppContext): LedgerRouteDeps {
  return { ledger: new LedgerReader(db) };
}
