import { randomUUID } from 'node:crypto';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { Behavior } from '../../../src/simulator/scripts';
import { startEngine, type Engine } from '../../support/stack/engine';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  requestOperation,
  requestUntilSettled,
  reloadPurchase,
  operationsOf,
  purchase,
  requestsOf,
  type Purchase,
  type PurchaseKind,
} from '../../support/scenarios/purchase';

/** gateway_6 settles through the platform's account: only companies named in configuration may use it. */
const PLATFORM_CLIENT_ID = `client_${randomUUID()}`;

/** Short timeouts, because most cases wait for them. */
const SHORT_TIMEOUTS = { GATEWAY_TIMEOUT: '0.6', SEND_WINDOW: '0.6', ABSENCE_PROVEN_AFTER: '1.3' };

let engine: Engine;
const companies = new Map<GatewaySlug, AuthenticatedCompany>();
beforeAll(async () => {
  engine = await startEngine({
    PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENT_ID,
    PAYMENT_SYNC_TIMEOUT: '3',
    STUCK_AFTER: '30',
    DATABASE_POOL: '20',
    ...SHORT_TIMEOUTS,
  });
  for (const gateway of ['gateway_1', 'gateway_2', 'gateway_3'] as const) {
    companies.set(gateway, await newCompany(engine, [gateway]));
  }
  companies.set('gateway_6', await newCompany(engine, [], PLATFORM_CLIENT_ID));
});
afterAll(() => engine.stop());

/** The result of an operation: its answer, how often it was sent, and its effects in the ledger of the gateway. */
interface OperationResult {
  readonly status: number;
  readonly code: string | null;
  readonly sent: number;
  readonly keys: number;
  readonly effect: number;
}

const AMOUNT = 700;
/** It succeeded before the answer was lost, and an inquiry finds it. */
const FOUND: OperationResult = { status: 200, code: null, sent: 1, keys: 1, effect: 1 };
/** It never arrived, and is sent once more with the same key. */
const SENT_AGAIN: OperationResult = { ...FOUND, sent: 2 };
const REFUSED: OperationResult = { status: 422, code: 'gateway_refused', sent: 1, keys: 1, effect: 0 };

const FAULTS: ReadonlyArray<readonly [string, Behavior, OperationResult]> = [
  ['connection dropped before processing', { drop: 'before' }, SENT_AGAIN],
  ['connection dropped after processing', { drop: 'after' }, FOUND],
  ['no answer, not processed', { hang: 'before' }, SENT_AGAIN],
  ['no answer, processed', { hang: 'after' }, FOUND],
  ['truncated answer', { truncate: true }, FOUND],
  ['truncated answer and reset', { truncate: true, drop: 'after' }, FOUND],
  ['HTML error page', { html: 502 }, FOUND],
  ['answer after the timeout', { delay_ms: 800 }, FOUND],
  ['503', { status: 503 }, SENT_AGAIN],
  ['429', { status: 429 }, REFUSED],
];

const GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_6'] as const;
const CASES: ReadonlyArray<readonly [PaymentOperation, PurchaseKind, GatewaySlug]> = [
  // The other gateways do not support authorizations.
  ['capture', 'authorization', 'gateway_1'],
  ['cancel', 'authorization', 'gateway_1'],
  ...GATEWAYS.flatMap((gateway) => [
    ['cancel', 'pix', gateway] as const,
    ['refund', 'sale', gateway] as const,
  ]),
];

const LEDGER_KIND = { capture: 'captured', cancel: 'canceled', refund: 'refunded' } as const;

async function newPurchase(kind: PurchaseKind, gateway: GatewaySlug): Promise<Purchase> {
  const company = companies.get(gateway);
  if (company === undefined) throw new Error(`no company at ${gateway}`);
  return purchase(engine, company, kind);
}

function injectFault({ body }: Purchase, operation: PaymentOperation, behavior: Behavior, times: number) {
  return engine.simulator.script({ transaction_id: body.transaction_id, operation }, behavior, times);
}

const options = (operation: PaymentOperation) => (operation === 'cancel' ? {} : { amount: AMOUNT });

async function operateUntilSettled(subject: Purchase, operation: PaymentOperation): Promise<OperationResult> {
  const { status, code } = await requestUntilSettled(engine, subject, operation, options(operation));
  await ledgerOf(engine, subject.body);
  const requests = await requestsOf(engine, subject, operation);
  const { entries } = await engine.simulator.ledger(subject.body.transaction_id);
  const effects = entries.filter(
    ({ kind, reference }) => kind === LEDGER_KIND[operation] && reference.includes(operation),
  );
  const keys = new Set(requests.map((request) => request.idempotency_key)).size;
  return { status, code, sent: requests.length, keys, effect: effects.length };
}

/** The expected fields of the payment after the operation. */
function expectedPayment(operation: PaymentOperation, { effect }: OperationResult, before: Purchase['body']) {
  if (effect === 0) return { status: before.status, refunded_amount: before.refunded_amount };
  if (operation === 'refund') return { status: 'approved', refunded_amount: AMOUNT };
  return operation === 'capture'
    ? { status: 'approved', captured_amount: AMOUNT }
    : { status: 'canceled', captured_amount: 0 };
}

/** Limits the number of concurrent payments. */
const GROUPS: ReadonlyArray<readonly [string, typeof CASES]> = [
  ['an authorization at gateway_1', CASES.filter(([, kind]) => kind === 'authorization')],
  ...GATEWAYS.map((gateway): [string, typeof CASES] => [
    `a pix or a sale at ${gateway}`,
    CASES.filter(([, kind, at]) => at === gateway && kind !== 'authorization'),
  ]),
];

describe.each(GROUPS)('an operation on %s', (_, cases) => {
  it('a lost answer never causes a second effect, and the outcome becomes known', async () => {
    const results: Array<Promise<unknown>> = [];
    for (const [operation, kind, gateway] of cases) {
      for (const [name, behavior, expected] of FAULTS) {
        // One after the other, because concurrent purchases slow each other down.
        const subject = await newPurchase(kind, gateway);
        await injectFault(subject, operation, behavior, 1);
        results.push(runCase([operation, kind, name], subject, operation, expected));
      }
    }
    expect(await Promise.all(results)).toEqual(
      cases.flatMap(([operation, kind]) =>
        FAULTS.map(([name, , expected]) => [[operation, kind, name], expected]),
      ),
    );
  });

  it('an operation that never arrives is sent three times with one key, then abandoned, and can be requested again', async () => {
    const subjects = await Promise.all(cases.map(([, kind, gateway]) => newPurchase(kind, gateway)));
    await Promise.all(cases.map(([operation], index) => expectAbandoned(operation, subjects[index])));
  });
});

async function runCase(
  title: string[],
  subject: Purchase,
  operation: PaymentOperation,
  expected: OperationResult,
) {
  const result = await operateUntilSettled(subject, operation);
  expect(await reloadPurchase(engine, subject)).toMatchObject(
    expectedPayment(operation, expected, subject.body),
  );
  return [title, result];
}

async function expectAbandoned(operation: PaymentOperation, subject: Purchase | undefined): Promise<void> {
  if (subject === undefined) throw new Error('there is no payment');
  await injectFault(subject, operation, { drop: 'before' }, 3);
  expect(await operateUntilSettled(subject, operation)).toEqual({ ...REFUSED, sent: 3 });
  const after = await reloadPurchase(engine, subject);
  expect(after.status).toBe(subject.body.status);
  expect(operationsOf(after, operation).map(([status]) => status)).toEqual(['abandoned']);
  const repeated = await requestUntilSettled(engine, subject, operation, options(operation));
  expect(repeated).toMatchObject({ status: 200 });
}

describe('an operation of unknown outcome', () => {
  it('the API returns 202, and a repeated request returns the final result', async () => {
    const subject = await newPurchase('sale', 'gateway_2');
    // Longer than a caller waits whose request came late to its workflow.
    await injectFault(subject, 'refund', { delay_ms: 6_000 }, 1);
    const key = randomUUID();
    const first = await requestOperation(engine, subject, 'refund', { key });
    expect(first).toMatchObject({ status: 202, replayed: false, body: { status: 'approved' } });
    expect(operationsOf(first.body ?? subject.body, 'refund').map(([status]) => status)).toEqual(['unknown']);
    const known = await requestUntilSettled(engine, subject, 'refund', { key });
    expect(known).toMatchObject({ status: 200, body: { status: 'refunded' } });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: subject.body.amount });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
  });
});
