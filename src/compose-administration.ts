import { CompanyGateways } from './application/company-gateways';
import { ResolvePayment } from './application/resolve-payment';
import type { Parts } from './compose';
import type { Config } from './config';
import type { AdminPaymentDeps } from './http/routes/admin-payments';
import type { AdministrationDeps } from './http/routes/administration';
import type { PaymentCommandDeps } from './http/routes/payment-commands';
import type { PaymentRouteDeps } from './http/routes/payments';
import { AuditLog } from './persistence/read-models/audit-log';
import { GatewayStates } from './persistence/read-models/gateway-states';
import { PaymentWorkflows } from './temporal/payments';

/** What a company's people do to its payments and gateways, and the log of all they do. */
export function composeAdministration(
  config: Config,
  parts: Parts,
  { findPayment, operatePayment }: PaymentRouteDeps & PaymentCommandDeps,
): AdminPaymentDeps & AdministrationDeps {
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
