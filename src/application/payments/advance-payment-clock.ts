import { notFound, validationError } from '../../domain/shared/errors';
import { parseTransactionId } from '../../domain/shared/ids';
import { clockTargetProblem, paymentNow } from '../../domain/payments/payment-clock';
import type { PaymentRepository } from '../../persistence/payments/payment-repository';
import type { Database } from '../../persistence/sql/transaction';
import type { PaymentToStart, PaymentWorkflows } from '../../temporal/payments';
import type { FindPayment, FoundPayment } from './find-payment';

export interface AdvancePaymentClockDeps {
  readonly db: Database;
  readonly payments: PaymentRepository;
  readonly findPayment: FindPayment;
  readonly workflows: Pick<PaymentWorkflows, 'wake'>;
  readonly reportError: (transactionId: string, error: unknown) => void;
  readonly now: () => Date;
}

export interface AdvanceClockCommand {
  readonly companyId: number;
  /** The payment's id as the request sent it, not yet parsed. */
  readonly id: string;
  readonly advanceTo: Date;
}

/** Advances a payment's test clock in the sandbox; its workflow processes everything that falls due on the way. */
export class AdvancePaymentClock {
  constructor(private readonly deps: AdvancePaymentClockDeps) {}

  /** @throws ApiError `not_found`; `validation_error` on `advance_to` */
  async execute(command: AdvanceClockCommand): Promise<FoundPayment> {
    const payment = await this.saveTarget(command);
    try {
      await this.deps.workflows.wake(payment);
    } catch (error) {
      // The target is committed; the sweeper wakes the workflow.
      this.deps.reportError(payment.transactionId, error);
    }
    return this.deps.findPayment.byId(command.companyId, command.id);
  }

  private async saveTarget({ companyId, id, advanceTo }: AdvanceClockCommand): Promise<PaymentToStart> {
    const transactionId = parseTransactionId(id);
    if (transactionId === null) throw notFound();
    return this.deps.db.inTransaction(async (tx) => {
      const payment = await this.deps.payments.lockForCompany(tx, companyId, transactionId);
      if (payment === null) throw notFound();
      const now = this.deps.now();
      const from = paymentNow(payment, now);
      const { clockTarget } = payment;
      const currentTarget = clockTarget !== null && clockTarget > from ? clockTarget : from;
      const problem = clockTargetProblem(advanceTo, currentTarget);
      if (problem !== null) throw validationError({ advance_to: [problem] });
      await this.deps.payments.setClockTarget(tx, payment.id, { from, to: advanceTo });
      await this.deps.payments.scheduleRecovery(tx, payment.id, now);
      return payment;
    });
  }
}
