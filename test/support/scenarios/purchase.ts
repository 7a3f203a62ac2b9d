import { randomUUID } from 'node:crypto';
import type { OperationBody } from '../../../src/application/payments/prepare-operation';
import type { PaymentRequest } from '../../../src/application/payments/payment-request';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { ApiError, ERROR_STATUS } from '../../../src/domain/shared/errors';
import type { PaymentStatus } from '../../../src/domain/payments/payment';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import { presentPayment, type PaymentBody } from '../../../src/presenters/payment';
import { PaymentWorkflows } from '../../../src/temporal/payments';
import type { Engine } from '../stack/engine';
import { reloadPayment, pay, uniqueAmount } from './pay';
import { deleteWorkflowRun } from '../stack/delete-workflow-run';
import { waitFor } from '../stack/wait-for';

/** A payment and its company. */
export interface Purchase {
  readonly company: AuthenticatedCompany;
  readonly body: PaymentBody;
}

export type PurchaseKind = 'sale' | 'authorization' | 'pix' | 'billet';

const WITHOUT_CARD = { card: null, billing_address: null } as const;
const KINDS: Readonly<
  Record<PurchaseKind, { readonly request: Partial<PaymentRequest>; readonly status: PaymentStatus }>
> = {
  sale: { request: {}, status: 'approved' },
  authorization: { request: { capture: false }, status: 'authorized' },
  pix: { request: { payment_method: 'pix', ...WITHOUT_CARD }, status: 'pending' },
  billet: { request: { payment_method: 'billet', ...WITHOUT_CARD }, status: 'pending' },
};

/** Creates a payment with a unique amount and waits for its first result. */
export async function purchase(
  engine: Engine,
  company: AuthenticatedCompany,
  kind: PurchaseKind,
  change: Partial<PaymentRequest> = {},
): Promise<Purchase> {
  const { request, status } = KINDS[kind];
  const { body } = await pay(engine, company, { amount: uniqueAmount(), ...request, ...change });
  return { company, body: await waitForPayment(engine, { company, body }, { status }) };
}

/** Creates a payment whose workflow is never started: the test runs every step itself. */
export async function idlePurchase(
  engine: Engine,
  company: AuthenticatedCompany,
  kind: PurchaseKind,
  change: Partial<PaymentRequest> = {},
): Promise<Purchase> {
  const request = { amount: uniqueAmount(), ...KINDS[kind].request, ...change };
  const { body } = await pay({ ...engine, payments: engine.idlePayments }, company, request);
  return { company, body };
}

/** The answer to an operation request, also if it is an error. `status` 202: the operation is in progress. */
export interface OperationAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly replayed: boolean;
  readonly body: PaymentBody | null;
}

export interface OperationOptions extends OperationBody {
  readonly key?: string;
}

/** Captures, cancels or refunds as the routes do. */
export async function requestOperation(
  { payments }: Pick<Engine, 'payments'>,
  { company, body }: Purchase,
  operation: PaymentOperation,
  { key = randomUUID(), ...request }: OperationOptions = {},
): Promise<OperationAnswer> {
  const command = { company, operation, id: body.transaction_id, idempotencyKey: key, request };
  try {
    const answer = await payments.operatePayment.execute({ ...command, receivedAt: new Date() });
    if (answer.kind === 'recorded') {
      const { replayed } = answer;
      return { status: answer.status, code: null, replayed, body: answer.body as PaymentBody };
    }
    const { payment, attempts } = answer.payment;
    const status = answer.inProgress ? 202 : 200;
    return { status, code: null, replayed: false, body: presentPayment(payment, attempts, []) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const replayed = error.headers['Idempotency-Replayed'] === 'true';
    return { status: ERROR_STATUS[error.code], code: error.code, replayed, body: null };
  }
}

/** Sends the request with one key until it is no longer in progress. */
export function requestUntilSettled(
  engine: Pick<Engine, 'payments'>,
  subject: Purchase,
  operation: PaymentOperation,
  options: OperationOptions = {},
): Promise<OperationAnswer> {
  const key = options.key ?? randomUUID();
  return waitFor(async () => {
    const answer = await requestOperation(engine, subject, operation, { ...options, key });
    return answer.status !== 202 && answer;
  });
}

export function reloadPurchase(engine: Engine, { company, body }: Purchase): Promise<PaymentBody> {
  return reloadPayment(engine, company, body);
}

/** Waits until the payment matches. */
export function waitForPayment(
  engine: Engine,
  subject: Purchase,
  expected: Partial<PaymentBody>,
): Promise<PaymentBody> {
  return waitFor(async () => {
    const body = await reloadPurchase(engine, subject);
    expect(body).toMatchObject(expected);
    return body;
  });
}

/** Signals the payment's workflow, which is started if it does not run. */
export async function signalWorkflow(engine: Engine, { company, body }: Purchase): Promise<void> {
  const payment = await engine.context.payments.find(company.id, body.transaction_id);
  if (payment === null) throw new Error('the payment does not exist');
  await new PaymentWorkflows(engine.context.temporal, engine.config.temporal.taskQueue).wake(payment);
}

/** Advances the payment's test clock and waits until everything due on the way is done. */
export async function advanceClockBy(engine: Engine, subject: Purchase, ms: number): Promise<PaymentBody> {
  const { clock } = await reloadPurchase(engine, subject);
  return advanceClockTo(engine, subject, (clock === null ? Date.now() : Date.parse(clock.now)) + ms);
}

/** The clock may stop at every hour of a day for an inquiry. */
const CLOCK_REACHED_WITHIN_MS = 40_000;

/** Like `advanceClockBy`, to an instant. */
export async function advanceClockTo(engine: Engine, subject: Purchase, at: number): Promise<PaymentBody> {
  const { company, body } = subject;
  const command = { companyId: company.id, id: body.transaction_id, advanceTo: new Date(at) };
  await engine.payments.advanceClock.execute(command);
  return waitFor(
    async () => {
      const payment = await reloadPurchase(engine, subject);
      return payment.clock?.reached === true && payment;
    },
    { what: 'the clock to reach the target', withinMs: CLOCK_REACHED_WITHIN_MS },
  );
}

/** Requests of one operation that the gateway received for a payment. */
export async function requestsOf(engine: Engine, { body }: Purchase, operation: string) {
  const requests = await engine.simulator.requests(body.transaction_id);
  return requests.filter((request) => request.operation === operation);
}

/** `[status, amount]` of the payment's operations of one kind. */
export function operationsOf({ transactions }: PaymentBody, operation: string): Array<[string, number]> {
  return transactions
    .filter((transaction) => transaction.operation === operation)
    .map(({ status, amount }) => [status, amount]);
}

/** Deletes the current run of the payment's workflow. */
export async function deleteWorkflow(engine: Engine, { body }: Purchase): Promise<void> {
  await deleteWorkflowRun(engine, `payment/${body.transaction_id}`);
}
