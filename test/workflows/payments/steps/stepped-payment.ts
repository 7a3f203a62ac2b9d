import { randomUUID } from 'node:crypto';
import type { GatewayAnswer } from '../../../../activities/payments/call-gateway';
import { claimAttempt, type Claim } from '../../../../activities/payments/claim-attempt';
import { inquireAttempt } from '../../../../activities/payments/inquire-attempt';
import type { PaymentRequest } from '../../../../src/application/payments/payment-request';
import type { PaymentOperation } from '../../../../src/domain/payments/payment-operation';
import type { Capabilities } from '../../../../src/domain/routing/routing';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import type {
  Accepted,
  GatewayDriver,
  InquiryResult,
  InquirySubject,
} from '../../../../src/gateways/gateway';
import type { AttemptRecord } from '../../../../src/persistence/payments/gateway-attempt-repository';
import type { UnprocessedCallback } from '../../../../src/persistence/payments/gateway-callback-repository';
import { newCompany } from '../../../support/fixtures/payments';
import { claimNext, type SteppedWorker } from '../../../support/scenarios/interleaving';
import {
  idlePurchase,
  reloadPurchase,
  requestOperation,
  type OperationOptions,
  type Purchase,
  type PurchaseKind,
} from '../../../support/scenarios/purchase';
import type { Engine } from '../../../support/stack/engine';
import { sameGateways } from '../../../support/same-gateways';
import type { GatewayRegistry } from '../../../../src/gateways/registry';

type Deps = Engine['deps'];
type Answered = GatewayAnswer & { readonly kind: 'outcome' };

/** The gateway's answer to a request that it has carried out. */
export function done(kind: Accepted['kind'], change: Partial<Accepted> = {}): Answered {
  const outcome: Accepted = {
    ...{ kind, gatewayTransactionId: `ch_${randomUUID()}`, amountCents: 0, responseCode: '00' },
    ...{ responseMessage: 'done', authorizationCode: null, networkIds: null, captureBefore: null },
    ...{ paidAmountCents: null, pix: null, billet: null, chargeState: null },
    ...change,
  };
  return { kind: 'outcome', outcome, requestMs: 12 };
}

export function declined(code = '51', adviceCode: string | null = null): Answered {
  const outcome = { kind: 'declined', code, message: 'no', adviceCode, gatewayTransactionId: null } as const;
  return { kind: 'outcome', outcome, requestMs: 12 };
}

export function failed(family: string, code: string | null = '400'): GatewayAnswer {
  return { kind: 'error', family, code, message: 'no', requestMs: 12 } as GatewayAnswer;
}

export const NOT_FOUND: InquiryResult = { kind: 'not_found' };
export const INCONCLUSIVE: InquiryResult = { kind: 'inconclusive', reason: 'no answer' };
export const found = ({ outcome }: Answered): InquiryResult => ({ kind: 'found', outcome });

export const ABSENT = { kind: 'absent', message: 'the gateway never received it' } as const;

const ACCEPTED = {
  sale: 'approved',
  authorization: 'authorized',
  pix: 'pending',
  billet: 'pending',
} as const;

/** A payment without a workflow: the test makes every step itself, and says what the gateway answers. */
export class SteppedPayment {
  private constructor(
    private readonly engine: Engine,
    private readonly kind: PurchaseKind,
    readonly subject: Purchase,
  ) {}

  static async create(
    engine: Engine,
    kind: PurchaseKind = 'sale',
    gateways: readonly GatewaySlug[] = ['gateway_1'],
    change: Partial<PaymentRequest> = {},
  ): Promise<SteppedPayment> {
    const subject = await idlePurchase(engine, await newCompany(engine, gateways), kind, change);
    return new SteppedPayment(engine, kind, subject);
  }

  /** The same with a charge that its gateway has accepted. */
  static async charged(...parameters: Parameters<typeof SteppedPayment.create>): Promise<SteppedPayment> {
    const payment = await SteppedPayment.create(...parameters);
    await (await payment.next()).record(done(ACCEPTED[payment.kind]));
    return payment;
  }

  get id(): string {
    return this.subject.body.transaction_id;
  }

  get amount(): number {
    return this.subject.body.amount;
  }

  claim(deps: Deps = this.engine.deps): Promise<Claim> {
    return claimAttempt(deps, { companyId: this.subject.company.id, transactionId: this.id });
  }

  next(deps: Deps = this.engine.deps): Promise<SteppedWorker> {
    return claimNext(this.engine, this.subject, deps);
  }

  async request(operation: PaymentOperation, options: OperationOptions = {}): Promise<string> {
    const key = options.key ?? randomUUID();
    const payments = this.engine.idlePayments;
    const { status } = await requestOperation({ payments }, this.subject, operation, { ...options, key });
    expect(status).toBe(202);
    return key;
  }

  /** Requests an operation and claims it. */
  async claimed(operation: PaymentOperation, options: OperationOptions = {}) {
    const key = await this.request(operation, options);
    const worker = await this.next();
    return { key, worker, attempt: await this.attempt(worker.attemptId) };
  }

  /** Inquires about an attempt while gateways answer so. Returns also what they were asked. */
  async inquire(
    attemptId: string,
    answer: InquiryResult | ((subject: InquirySubject) => InquiryResult),
    from: Deps = this.engine.deps,
  ) {
    const { deps, asked } = withInquiries(from, typeof answer === 'function' ? answer : () => answer);
    return { step: await inquireAttempt(deps, this.id, attemptId), asked };
  }

  body() {
    return reloadPurchase(this.engine, this.subject);
  }

  row() {
    return this.engine.context.payments.get(this.id);
  }

  async attempt(id: string): Promise<AttemptRecord> {
    const found = await this.engine.context.attempts.find(id);
    if (found === null) throw new Error('no such attempt');
    return found;
  }

  /** `operation gateway status` of all attempts. */
  async rows(): Promise<string[]> {
    const { transactions } = await this.body();
    return transactions.map(({ operation, gateway, status }) => `${operation} ${gateway} ${status}`);
  }

  /** The status of the recorded answer of a key; null while there is none. */
  async answered(key: string): Promise<number | null | undefined> {
    return (await this.engine.context.idempotency.find(this.subject.company.id, key))?.responseStatus;
  }

  /** Changes the payment's row. */
  async change(set: string, ...values: readonly unknown[]): Promise<void> {
    await this.engine.context.db.query(`UPDATE payments SET ${set} WHERE transaction_id = $1`, [
      this.id,
      ...values,
    ]);
  }

  /** Changes the row of one of its attempts. */
  async changeAttempt(id: string, set: string): Promise<void> {
    await this.engine.context.db.query(`UPDATE gateway_attempts SET ${set} WHERE id = $1`, [id]);
  }

  /** The age of the payment, or of an attempt, is exactly this. */
  depsAt(createdAt: Date, ageMs: number): Deps {
    return { ...this.engine.deps, now: () => new Date(createdAt.getTime() + ageMs) };
  }
}

/** Dependencies with gateways that answer inquiries so. Counts what they were asked. */
export function withInquiries(
  deps: Deps,
  answer: (subject: InquirySubject) => InquiryResult,
): { readonly deps: Deps; readonly asked: InquirySubject[] } {
  const asked: InquirySubject[] = [];
  const inquire: GatewayDriver['inquire'] = (_context, subject) => {
    asked.push(subject);
    return Promise.resolve(answer(subject));
  };
  const driver = (slug: GatewaySlug): GatewayDriver =>
    Object.assign(Object.create(deps.registries.of(1).driver(slug)) as GatewayDriver, { inquire });
  const registry = Object.assign(Object.create(deps.registries.of(1)) as GatewayRegistry, { driver });
  return { deps: { ...deps, registries: sameGateways(registry) }, asked };
}

/** Dependencies with gateways that all have these capabilities. */
export function withCapabilities(deps: Deps, change: Partial<Capabilities>): Deps {
  const capabilities = (slug: GatewaySlug): Capabilities => ({
    ...deps.registries.of(1).capabilities(slug),
    ...change,
  });
  const registry = Object.assign(Object.create(deps.registries.of(1)) as GatewayRegistry, { capabilities });
  return { ...deps, registries: sameGateways(registry) };
}

export interface WaitingCallbacks {
  readonly deps: Deps;
  /** The ids of those that were processed. */
  readonly processed: number[];
}

/** Dependencies with callbacks that wait to be processed: numbered from 1, trusted, and without a report, unless given. */
export function withCallbacks(
  deps: Deps,
  waiting: ReadonlyArray<Partial<UnprocessedCallback> & Pick<UnprocessedCallback, 'attemptId'>>,
): WaitingCallbacks {
  const processed: number[] = [];
  const callbacks = Object.assign(Object.create(deps.callbacks) as Deps['callbacks'], {
    listUnprocessed: () =>
      Promise.resolve(
        waiting.map((callback, index) => ({
          ...{ id: index + 1, kind: 'status', trusted: true, reportedState: null, refundCents: null },
          eventId: `event ${index + 1}`,
          ...{ gatewayTransactionId: null, receivedAt: new Date(), ...callback },
        })),
      ),
    markProcessed: (ids: readonly number[]) => Promise.resolve(void processed.push(...ids)),
  });
  return { deps: { ...deps, callbacks }, processed };
}
