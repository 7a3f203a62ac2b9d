import { CreatePayment, type CreatePaymentDeps } from './application/create-payment';
import { FindPayment } from './application/find-payment';
import { MovePaymentClock } from './application/move-clock';
import { OperatePayment } from './application/operate-payment';
import type { Parts } from './compose';
import type { Config } from './config';
import type { PaymentCommandDeps } from './http/routes/payment-commands';
import type { PaymentRouteDeps } from './http/routes/payments';
import { PaymentList } from './persistence/read-models/payment-list';
import { PaymentWorkflows } from './temporal/payments';

export function composePayments(
  config: Config,
  parts: Parts,
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
    moveClock: new MovePaymentClock(deps),
  };
}
