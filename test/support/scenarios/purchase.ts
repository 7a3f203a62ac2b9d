import { randomUUID } from 'node:crypto';
import type { OperationRequest } from '../../../src/application/payments/prepare-operation';
import type { PaymentRequest } from '../../../src/application/payments/payment-request';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { ApiError, ERROR_STATUS } from '../../../src/domain/shared/errors';
import type { PaymentStatus } from '../../../src/domain/payments/payment';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import { presentPayment, type PaymentBody } from '../../../src/presenters/payment';
import { PaymentWorkflows } from '../../../src/temporal/payments';
import type { Engine } from '../stack/engine';
import { current, pay, uniqueAmount } from './pay';
import { waitFor } from '../stack/wait-for';

/** A payment and the company that asked for it. */
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

/** A payment of its own amount, as it is when nothing went wrong. */
export async function purchase(
  engine: Engine,
  company: AuthenticatedCompany,
  kind: PurchaseKind,
  change: Partial<PaymentRequest> = {},
): Promise<Purchase> {
  const { request, status } = KINDS[kind];
  const { body } = await pay(engine, company, { amount: uniqueAmount(), ...request, ...change });
  return { company, body: await becomes(engine, { company, body }, { status }) };
}

/** One that is committed and whose workflow was never started: the test makes every step itself. */
export async function idlePurchase(
  engine: Engine,
  company: AuthenticatedCompany,
  kind: PurchaseKind,
): Promise<Purchase> {
  const change = { amount: uniqueAmount(), ...KINDS[kind].request };
  const { body } = await pay({ ...engine, payments: engine.idlePayments }, company, change);
  return { company, body };
}

/** What a caller is answered; an error is an answer. `status` 202: it is under way. */
export interface Answered {
  readonly status: number;
  readonly code: string | null;
  readonly replayed: boolean;
  readonly body: PaymentBody | null;
}

export interface AskOptions extends OperationRequest {
  readonly key?: string;
}

/** Captures, cancels or refunds as the routes do. */
export async function ask(
  { payments }: Pick<Engine, 'payments'>,
  { company, body }: Purchase,
  operation: PaymentOperation,
  { key = randomUUID(), ...request }: AskOptions = {},
): Promise<Answered> {
  const command = { company, operation, id: body.transaction_id, idempotencyKey: key, request };
  try {
    const answer = await payments.operatePayment.execute({ ...command, receivedAt: new Date() });
    const { replayed } = answer;
    if (answer.kind === 'recorded') {
      return { status: answer.status, code: null, replayed, body: answer.body as PaymentBody };
    }
    const { payment, attempts } = answer.payment;
    const status = answer.underWay ? 202 : 200;
    return { status, code: null, replayed, body: presentPayment(payment, attempts, []) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const replayed = error.headers['Idempotency-Replayed'] === 'true';
    return { status: ERROR_STATUS[error.code], code: error.code, replayed, body: null };
  }
}

/** Asks with one key until it is no longer under way. */
export function askUntilKnown(
  engine: Pick<Engine, 'payments'>,
  subject: Purchase,
  operation: PaymentOperation,
  options: AskOptions = {},
): Promise<Answered> {
  const key = options.key ?? randomUUID();
  return waitFor(async () => {
    const answer = await ask(engine, subject, operation, { ...options, key });
    return answer.status !== 202 && answer;
  });
}

export function now(engine: Engine, { company, body }: Purchase): Promise<PaymentBody> {
  return current(engine, company, body);
}

/** Waits until the payment is so. */
export function becomes(
  engine: Engine,
  subject: Purchase,
  expected: Partial<PaymentBody>,
): Promise<PaymentBody> {
  return waitFor(async () => {
    const body = await now(engine, subject);
    expect(body).toMatchObject(expected);
    return body;
  });
}

/** Has the payment's workflow look at what has changed, starting it if need be. */
export async function wake(engine: Engine, { company, body }: Purchase): Promise<void> {
  const payment = await engine.parts.payments.find(company.id, body.transaction_id);
  if (payment === null) throw new Error('the payment does not exist');
  await new PaymentWorkflows(engine.parts.temporal, engine.config.temporal.taskQueue).wake(payment);
}

/** Sends the payment's own clock ahead, and waits until it has lived through all that was due on the way. */
export async function timePasses(engine: Engine, subject: Purchase, ms: number): Promise<PaymentBody> {
  const { clock } = await now(engine, subject);
  return clockReaches(engine, subject, (clock === null ? Date.now() : Date.parse(clock.now)) + ms);
}

/** On its way it may have to stop at every hour of a day, and to ask. */
const CLOCK_ARRIVES_WITHIN_MS = 40_000;

/** The same to an instant. */
export async function clockReaches(engine: Engine, subject: Purchase, at: number): Promise<PaymentBody> {
  const { company, body } = subject;
  const command = { companyId: company.id, id: body.transaction_id, advanceTo: new Date(at) };
  await engine.payments.moveClock.execute(command);
  return waitFor(
    async () => {
      const moved = await now(engine, subject);
      return moved.clock?.reached === true && moved;
    },
    { what: 'the clock to arrive', withinMs: CLOCK_ARRIVES_WITHIN_MS },
  );
}

/** Requests of one kind that the gateway has received for a payment. */
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

/** Takes the run of the payment's workflow out of Temporal's memory, as its retention does; another may begin meanwhile. */
export async function forgetWorkflow({ parts, config }: Engine, { body }: Purchase): Promise<void> {
  const { workflow, workflowService } = parts.temporal;
  const { namespace } = config.temporal;
  const workflowId = `payment/${body.transaction_id}`;
  const { runId } = await workflow.getHandle(workflowId).describe();
  const execution = { workflowId, runId };
  await workflowService.deleteWorkflowExecution({ namespace, workflowExecution: execution });
  await waitFor(
    () =>
      workflowService.describeWorkflowExecution({ namespace, execution }).then(
        () => false,
        () => true,
      ),
    { what: 'Temporal to have forgotten the workflow' },
  );
}
