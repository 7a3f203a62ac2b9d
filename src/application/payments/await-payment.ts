import type { Failpoint } from '../../failpoints';
import type { IdempotencyRepository } from '../../persistence/payments/idempotency-repository';
import type { PaymentToStart, PaymentWorkflows } from '../../temporal/payments';
import { findRecordedAnswer, recordedOr } from '../shared/idempotency';
import type { FindPayment, FoundPayment } from './find-payment';
import type { FirstAttemptResult } from './first-attempts';
import type { PaymentAnswer } from './payment-answer';

export interface AwaitPaymentDeps {
  readonly idempotency: IdempotencyRepository;
  readonly workflows: Pick<PaymentWorkflows, 'awaitResult' | 'awaitStarted'>;
  readonly findPayment: FindPayment;
  readonly failpoint: Failpoint;
  /** Reports an error that the caller must not see, because the payment is committed. */
  readonly reportError: (transactionId: string, error: unknown) => void;
}

/** A committed payment whose caller waits for the result. */
export interface AwaitedPayment {
  readonly companyId: number;
  readonly idempotencyKey: string | null;
  /** The payment as it was committed or read. */
  readonly known: FoundPayment;
  readonly deadline: Date;
}

/**
 * The answer to the creation of a payment, when it has a result or its deadline passes. `tryHere` is the first attempt in
 * this process, if it makes one. The payment may be charged, so any failure is answered with `processing`.
 */
export async function awaitPayment(
  deps: AwaitPaymentDeps,
  awaited: AwaitedPayment,
  tryHere: (payment: PaymentToStart) => Promise<FirstAttemptResult>,
): Promise<PaymentAnswer> {
  const { payment } = awaited.known;
  try {
    const answer = await answerOf(deps, awaited, await tryHere(payment));
    deps.failpoint('answer-ready', awaited.companyId);
    return answer;
  } catch (error) {
    deps.reportError(payment.transactionId, error);
    return describeAnswer(awaited.known);
  }
}

async function answerOf(
  deps: AwaitPaymentDeps,
  awaited: AwaitedPayment,
  first: FirstAttemptResult,
): Promise<PaymentAnswer> {
  const { known, deadline } = awaited;
  if (first.kind === 'answered') return { kind: 'recorded', ...first.answer, replayed: false };
  if (first.kind === 'started') {
    await deps.workflows.awaitStarted(known.payment, deadline);
    const answer = await readAnswer(deps, awaited);
    if (answer.kind === 'recorded' || !answer.inProgress || deadline.getTime() <= Date.now()) return answer;
  }
  await deps.workflows.awaitResult(known.payment, deadline);
  return readAnswer(deps, awaited);
}

/** The recorded answer or the current payment. */
export async function readAnswer(
  { idempotency, findPayment }: Pick<AwaitPaymentDeps, 'idempotency' | 'findPayment'>,
  { companyId, idempotencyKey, known }: Omit<AwaitedPayment, 'deadline'>,
): Promise<PaymentAnswer> {
  return recordedOr(
    () => findRecordedAnswer(idempotency, companyId, idempotencyKey),
    async () => describeAnswer(await findPayment.byId(companyId, known.payment.transactionId)),
    ({ inProgress }) => !inProgress,
  );
}

function describeAnswer(payment: FoundPayment) {
  return { kind: 'payment', payment, inProgress: payment.payment.status === 'processing' } as const;
}
