import { CreatePayment } from './application/create-payment';
import { FindPayment } from './application/find-payment';
import type { Parts } from './compose';
import type { Config } from './config';
import { PaymentList } from './persistence/read-models/payment-list';
import type { PaymentRouteDeps } from './http/routes/payments';
import { PaymentWorkflows } from './temporal/payments';

export function composePayments(config: Config, parts: Parts): PaymentRouteDeps {
  const findPayment = new FindPayment(parts.payments, parts.attempts);
  return {
    findPayment,
    paymentList: new PaymentList(parts.db, parts.attempts),
    createPayment: new CreatePayment({
      ...parts,
      findPayment,
      workflows: new PaymentWorkflows(parts.temporal, config.temporal.taskQueue),
      requestHashKey: config.secrets.requestHashKey,
      syncTimeoutMs: config.payments.syncTimeoutMs,
    }),
  };
}
