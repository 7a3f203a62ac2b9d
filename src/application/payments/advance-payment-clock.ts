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
  /** The payment's id as it was sent. */
  readonly id: string;
  readonly advanceTo: Date;
}

/** Sends a payment's own clock to an instant, for the sandbox; its workflow lives through what is due on the way. */
export class AdvancePaymentClock {
  constructor(private readonly deps: AdvancePaymentClockDeps) {}

  /** @throws ApiError `not_found`; `validation_error` on `advance_to` */
  async execute(command: AdvanceClockCommand): Promise<FoundPayment> {
    const payment = await this.send(command);
    try {
      await this.deps.workflows.wake(payment);
    } catch (error) {
      // The sweeper wakes it.
      this.deps.reportError(payment.transactionId, error);
    }
    return this.deps.findPayment.byId(command.companyId, command.id);
  }

  private async send({ companyId, id, advanceTo }: AdvanceClockCommand): Promise<PaymentToStart> {
    const transactionId = parseTransactionId(id);
    if (transactionId === null) throw notFound();
    return this.deps.db.inTransaction(async (tx) => {
      const payment = await this.deps.payments.lockOf(tx, companyId, transactionId);
      if (payment === null) throw notFound();
      const now = this.deps.now();
      const from = paymentNow(payment, now);
      const { clockTarget } = payment;
      const goingTo = clockTarget !== null && clockTarget > from ? clockTarget : from;
      const problem = clockTargetProblem(advanceTo, goingTo);
      if (problem !== null) throw validationError({ advance_to: [problem] });
      await this.deps.payments.sendClock(tx, payment.id, { from, to: advanceTo });
      await this.deps.payments.noteCommand(tx, payment.id, now);
      return payment;
    });
  }
}
