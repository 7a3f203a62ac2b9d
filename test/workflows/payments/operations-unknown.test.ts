import { randomUUID } from 'node:crypto';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentOperation } from '../../../src/domain/payments/payment-operation';
import type { Behavior } from '../../../src/simulator/scripts';
import { startEngine, type Engine } from '../../support/stack/engine';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  ask,
  askUntilKnown,
  now,
  operationsOf,
  purchase,
  requestsOf,
  type Purchase,
  type PurchaseKind,
} from '../../support/scenarios/purchase';

/** gateway_6 settles through the platform's account: only companies named in configuration may use it. */
const PLATFORM_CLIENT_ID = `client_${randomUUID()}`;

/** Much is waited for here. */
const SHORTER = { GATEWAY_TIMEOUT: '0.6', SEND_WINDOW: '0.6', ABSENCE_PROVEN_AFTER: '1.3' };

let engine: Engine;
const companies = new Map<GatewaySlug, AuthenticatedCompany>();
beforeAll(async () => {
  engine = await startEngine({
    PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENT_ID,
    PAYMENT_SYNC_TIMEOUT: '3',
    STUCK_AFTER: '30',
    DATABASE_POOL: '20',
    ...SHORTER,
  });
  for (const gateway of ['gateway_1', 'gateway_2', 'gateway_3'] as const) {
    companies.set(gateway, await newCompany(engine, [gateway]));
  }
  companies.set('gateway_6', await newCompany(engine, [], PLATFORM_CLIENT_ID));
});
afterAll(() => engine.stop());

/** A gateway that answers 202's question: how often it was sent, and what its books say once it is known. */
interface Came {
  readonly status: number;
  readonly code: string | null;
  readonly sent: number;
  readonly keys: number;
  readonly effect: number;
}

const AMOUNT = 700;
/** Carried out before the answer was lost: it is found by asking. */
const FOUND: Came = { status: 200, code: null, sent: 1, keys: 1, effect: 1 };
/** Never arrived: it is sent once more, under the same key. */
const SENT_AGAIN: Came = { ...FOUND, sent: 2 };
const REFUSED: Came = { status: 422, code: 'gateway_refused', sent: 1, keys: 1, effect: 0 };

const TROUBLES: ReadonlyArray<readonly [string, Behavior, Came]> = [
  ['dropped before', { drop: 'before' }, SENT_AGAIN],
  ['dropped after', { drop: 'after' }, FOUND],
  ['hung before', { hang: 'before' }, SENT_AGAIN],
  ['hung after', { hang: 'after' }, FOUND],
  ['cut in half', { truncate: true }, FOUND],
  ['reset in its middle', { truncate: true, drop: 'after' }, FOUND],
  ['a page instead', { html: 502 }, FOUND],
  ['later than anybody waits', { delay_ms: 800 }, FOUND],
  ['503', { status: 503 }, SENT_AGAIN],
  ['429', { status: 429 }, REFUSED],
];

const GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_6'] as const;
const CASES: ReadonlyArray<readonly [PaymentOperation, PurchaseKind, GatewaySlug]> = [
  // The others do not authorize without capturing.
  ['capture', 'authorization', 'gateway_1'],
  ['cancel', 'authorization', 'gateway_1'],
  ...GATEWAYS.flatMap((gateway) => [
    ['cancel', 'pix', gateway] as const,
    ['refund', 'sale', gateway] as const,
  ]),
];

const LEDGER_KIND = { capture: 'captured', cancel: 'canceled', refund: 'refunded' } as const;

async function bought(kind: PurchaseKind, gateway: GatewaySlug): Promise<Purchase> {
  const company = companies.get(gateway);
  if (company === undefined) throw new Error(`no company at ${gateway}`);
  return purchase(engine, company, kind);
}

function trouble({ body }: Purchase, operation: PaymentOperation, behavior: Behavior, times: number) {
  return engine.simulator.script({ transaction_id: body.transaction_id, operation }, behavior, times);
}

const options = (operation: PaymentOperation) => (operation === 'cancel' ? {} : { amount: AMOUNT });

async function came(subject: Purchase, operation: PaymentOperation): Promise<Came> {
  const { status, code } = await askUntilKnown(engine, subject, operation, options(operation));
  await ledgerOf(engine, subject.body);
  const requests = await requestsOf(engine, subject, operation);
  const { entries } = await engine.simulator.ledger(subject.body.transaction_id);
  const effects = entries.filter(
    ({ kind, reference }) => kind === LEDGER_KIND[operation] && reference.includes(operation),
  );
  const keys = new Set(requests.map((request) => request.idempotency_key)).size;
  return { status, code, sent: requests.length, keys, effect: effects.length };
}

/** What the payment shows, by what the operation came to. */
function shown(operation: PaymentOperation, { effect }: Came, before: Purchase['body']) {
  if (effect === 0) return { status: before.status, refunded_amount: before.refunded_amount };
  if (operation === 'refund') return { status: 'approved', refunded_amount: AMOUNT };
  return operation === 'capture'
    ? { status: 'approved', captured_amount: AMOUNT }
    : { status: 'canceled', captured_amount: 0 };
}

/** So many payments at once are enough. */
const GROUPS: ReadonlyArray<readonly [string, typeof CASES]> = [
  ['an authorization at gateway_1', CASES.filter(([, kind]) => kind === 'authorization')],
  ...GATEWAYS.map((gateway): [string, typeof CASES] => [
    `a pix or a sale at ${gateway}`,
    CASES.filter(([, kind, at]) => at === gateway && kind !== 'authorization'),
  ]),
];

describe.each(GROUPS)('of %s', (_, cases) => {
  it('an operation whose answer is lost has one effect at most, and its outcome is found out', async () => {
    const results: Array<Promise<unknown>> = [];
    for (const [operation, kind, gateway] of cases) {
      for (const [name, behavior, expected] of TROUBLES) {
        // Bought one after the other: together they would keep each other waiting.
        const subject = await bought(kind, gateway);
        await trouble(subject, operation, behavior, 1);
        results.push(story([operation, kind, name], subject, operation, expected));
      }
    }
    expect(await Promise.all(results)).toEqual(
      cases.flatMap(([operation, kind]) =>
        TROUBLES.map(([name, , expected]) => [[operation, kind, name], expected]),
      ),
    );
  });

  it('one that never arrives is sent three times under one key, given up, and may be asked for anew', async () => {
    const subjects = await Promise.all(cases.map(([, kind, gateway]) => bought(kind, gateway)));
    await Promise.all(cases.map(([operation], index) => givesUp(operation, subjects[index])));
  });
});

async function story(title: string[], subject: Purchase, operation: PaymentOperation, expected: Came) {
  const result = await came(subject, operation);
  expect(await now(engine, subject)).toMatchObject(shown(operation, expected, subject.body));
  return [title, result];
}

async function givesUp(operation: PaymentOperation, subject: Purchase | undefined): Promise<void> {
  if (subject === undefined) throw new Error('there is no payment');
  await trouble(subject, operation, { drop: 'before' }, 3);
  expect(await came(subject, operation)).toEqual({ ...REFUSED, sent: 3 });
  const after = await now(engine, subject);
  expect(after.status).toBe(subject.body.status);
  expect(operationsOf(after, operation).map(([status]) => status)).toEqual(['abandoned']);
  const anew = await askUntilKnown(engine, subject, operation, options(operation));
  expect(anew).toMatchObject({ status: 200 });
}

describe('while the outcome is unknown', () => {
  it('the caller is answered 202, and the same request again gets the truth', async () => {
    const subject = await bought('sale', 'gateway_2');
    await trouble(subject, 'refund', { delay_ms: 3_600 }, 1);
    const key = randomUUID();
    const first = await ask(engine, subject, 'refund', { key });
    expect(first).toMatchObject({ status: 202, replayed: false, body: { status: 'approved' } });
    expect(operationsOf(first.body ?? subject.body, 'refund').map(([status]) => status)).toEqual(['unknown']);
    const known = await askUntilKnown(engine, subject, 'refund', { key });
    expect(known).toMatchObject({ status: 200, body: { status: 'refunded' } });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: subject.body.amount });
    expect(await requestsOf(engine, subject, 'refund')).toHaveLength(1);
  });
});
