import { pollPaymentStatus } from '../../../activities/payments/poll-payment-status';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { notice, signed } from '../../api/callbacks/callback-api';
import { expectStatus } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import type { Engine } from '../../support/stack/engine';
import { claimed, interrupted } from '../../support/scenarios/interleaving';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  ask,
  askUntilKnown,
  becomes,
  clockReaches,
  idlePurchase,
  now,
  operationsOf,
  purchase,
  wake,
  type Purchase,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';

/** The gateway has no address to call back to: every callback is sent here, at the moment it is wanted. */
let api: EngineApi;
let engine: Engine;
let company: AuthenticatedCompany;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  ({ engine } = api);
  company = await newCompany(engine);
});
afterAll(() => api.stop());

const MINUTE_MS = 60_000;

/** The gateway's own word, signed: `kind` is what it claims. */
async function callBack({ body }: Purchase, kind = 'approved'): Promise<void> {
  const told = notice(`${body.transaction_id}-1`, { kind, amount: body.amount, paid_amount: body.amount });
  const request = { params: { gateway: 'gateway_1' }, body: told, headers: signed(told) };
  expectStatus(await api.anonymous('receiveCallback', request), 200);
}

function untilLookedAt({ body }: Purchase): Promise<true> {
  return waitFor(async () => (await engine.parts.callbacks.waiting(body.transaction_id)).length === 0);
}

const pay = ({ body }: Purchase, amount?: number) => engine.simulator.pay(body.transaction_id, amount);

const script = ({ body: { transaction_id } }: Purchase, operation: 'cancel' | 'refund', behavior: object) =>
  engine.simulator.script({ transaction_id, operation }, behavior);

/** When a payment that nobody pays fails: its expiry and the five minutes after it. */
function decidedAt({ body }: Purchase): number {
  const expiresAt = body.transactions[0]?.pix?.expires_at ?? '';
  return Date.parse(expiresAt) + 5 * MINUTE_MS;
}

/** One look by a worker of the test's own, at the moment the payment's time is over. */
function decideExpiry(subject: Purchase, deps = engine.deps) {
  const at = decidedAt(subject) + 1;
  const { transaction_id: transactionId } = subject.body;
  return pollPaymentStatus(deps, {
    companyId: company.id,
    transactionId,
    at,
    offsetMs: at - Date.now(),
  });
}

describe('a callback that comes before the answer to the charge', () => {
  it('is asked about, and the answer that comes later moves nothing back', async () => {
    const subject = await idlePurchase(engine, company, 'pix');
    const worker = await claimed(engine, subject);
    const answer = await worker.send();
    await pay(subject);
    await callBack(subject);
    const paid = await becomes(engine, subject, {
      status: 'approved',
      paid_amount: subject.body.amount,
      attempts: 1,
    });
    await worker.record(answer);
    expect(await now(engine, subject)).toEqual(paid);
    await untilLookedAt(subject);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });
});

describe('a callback about a payment whose workflow has closed', () => {
  it('wakes the actor, which learns of a second payment of the same pix', async () => {
    const subject = await purchase(engine, company, 'pix');
    await pay(subject);
    await callBack(subject);
    await becomes(engine, subject, { status: 'approved' });
    const handle = engine.parts.temporal.workflow.getHandle(`payment/${subject.body.transaction_id}`);
    await handle.result();
    await pay(subject, 700);
    await callBack(subject);
    await becomes(engine, subject, {
      status: 'approved',
      captured_amount: subject.body.amount,
      paid_amount: subject.body.amount + 700,
    });
    await untilLookedAt(subject);
    await waitFor(async () => (await handle.describe()).status.name === 'COMPLETED');
  });
});

describe('a refund against a late callback', () => {
  it.each(['chargeback', 'approved'])('of a %s, while it is in flight, is recorded once', async (kind) => {
    const subject = await purchase(engine, company, 'sale');
    await script(subject, 'refund', { delay_ms: 600 });
    const refund = ask(engine, subject, 'refund');
    await waitFor(async () => operationsOf(await now(engine, subject), 'refund').length === 1);
    await callBack(subject, kind);
    expect(await refund).toMatchObject({ status: 200 });
    await callBack(subject, kind);
    await untilLookedAt(subject);
    const { amount } = subject.body;
    expect(await now(engine, subject)).toMatchObject({ status: 'refunded', refunded_amount: amount });
    expect(operationsOf(await now(engine, subject), 'refund')).toEqual([['refunded', amount]]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: amount, refunded: amount });
  });

  it('whose own answer was lost is found, whatever the callback says meanwhile', async () => {
    const subject = await purchase(engine, company, 'sale');
    await script(subject, 'refund', { drop: 'after' });
    const refund = askUntilKnown(engine, subject, 'refund', { amount: 100 });
    await callBack(subject, 'chargeback');
    expect(await refund).toMatchObject({ status: 200 });
    await untilLookedAt(subject);
    expect(await now(engine, subject)).toMatchObject({ status: 'approved', refunded_amount: 100 });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ refunded: 100 });
  });
});

describe('an expiry against the payment', () => {
  it('is not decided while the gateway still says nothing of it', async () => {
    const subject = await purchase(engine, company, 'pix');
    const { transaction_id } = subject.body;
    await engine.simulator.script({ transaction_id, operation: 'inquiry' }, { status: 503 });
    await pay(subject);
    expect(await decideExpiry(subject)).toMatchObject({ status: 'pending' });
    expect(await decideExpiry(subject)).toMatchObject({ status: 'pending' });
    await callBack(subject);
    await becomes(engine, subject, { status: 'approved' });
  });

  it('paid between the last answer and its commit: it fails as expired, and is approved after all', async () => {
    const subject = await purchase(engine, company, 'pix');
    const step = await decideExpiry(
      subject,
      interrupted(engine.deps, () => pay(subject)),
    );
    expect(step.status).toBe('failed');
    expect(await now(engine, subject)).toMatchObject({ status: 'failed', code: 'expired' });
    await callBack(subject);
    await becomes(engine, subject, {
      status: 'approved',
      code: null,
      captured_amount: subject.body.amount,
      paid_amount: subject.body.amount,
    });
  });

  it('of which the callback is stored between the last answer and its commit is not forgotten', async () => {
    const subject = await purchase(engine, company, 'pix');
    await decideExpiry(
      subject,
      interrupted(engine.deps, async () => {
        await pay(subject);
        await callBack(subject);
      }),
    );
    await becomes(engine, subject, { status: 'approved', paid_amount: subject.body.amount });
    await untilLookedAt(subject);
  });

  it('two looks at once, one of which has seen it paid: approved, whichever commits last', async () => {
    const late = await purchase(engine, company, 'pix');
    const nestedLook = interrupted(engine.deps, async () => {
      await pay(late);
      await decideExpiry(late);
    });
    await decideExpiry(late, nestedLook);
    expect(await now(engine, late)).toMatchObject({ status: 'approved' });
  });

  it('paid a second after it failed: approved after all', async () => {
    const subject = await purchase(engine, company, 'pix');
    await clockReaches(engine, subject, decidedAt(subject) + MINUTE_MS);
    expect(await now(engine, subject)).toMatchObject({ status: 'failed', code: 'expired' });
    await pay(subject);
    await callBack(subject);
    await becomes(engine, subject, { status: 'approved', code: null, paid_amount: subject.body.amount });
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });
});

describe('a cancel of an unpaid pix against its payment', () => {
  it('paid before the cancel reaches the gateway: refused, and approved without any callback', async () => {
    const subject = await purchase(engine, company, 'pix');
    await ask({ payments: engine.idlePayments }, subject, 'cancel');
    const worker = await claimed(engine, subject);
    await pay(subject);
    await worker.record(await worker.send());
    await wake(engine, subject);
    const paid = await becomes(engine, subject, { status: 'approved', paid_amount: subject.body.amount });
    expect(operationsOf(paid, 'cancel')).toEqual([['error', subject.body.amount]]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });

  it.each([
    ['and a callback tells', true],
    ['and nobody tells', false],
  ])(
    'paid while the outcome of the cancel is unknown, %s: approved, and the cancel refused',
    async (_, told) => {
      const subject = await purchase(engine, company, 'pix');
      await script(subject, 'cancel', { hang: 'before' });
      const cancel = askUntilKnown(engine, subject, 'cancel');
      await waitFor(async () => operationsOf(await now(engine, subject), 'cancel').length === 1);
      await pay(subject);
      if (told) await callBack(subject);
      expect((await cancel).status).toBe(told ? 409 : 422);
      await becomes(engine, subject, { status: 'approved', paid_amount: subject.body.amount });
      await ledgerOf(engine, subject.body);
    },
  );

  it('canceled at the gateway, the answer lost, and then paid all the same: approved after all', async () => {
    const subject = await purchase(engine, company, 'pix');
    await script(subject, 'cancel', { drop: 'after' });
    expect(await askUntilKnown(engine, subject, 'cancel')).toMatchObject({ status: 200 });
    expect(await now(engine, subject)).toMatchObject({ status: 'canceled' });
    await pay(subject);
    await callBack(subject);
    await becomes(engine, subject, {
      status: 'approved',
      captured_amount: subject.body.amount,
      paid_amount: subject.body.amount,
    });
  });

  it('paid before the cancel’s answer is recorded, but after the gateway carried it out: approved, not lost', async () => {
    const subject = await purchase(engine, company, 'pix');
    await ask({ payments: engine.idlePayments }, subject, 'cancel');
    const worker = await claimed(engine, subject);
    const answer = await worker.send();
    await pay(subject);
    await callBack(subject);
    await becomes(engine, subject, { status: 'approved' });
    await worker.record(answer);
    expect(await now(engine, subject)).toMatchObject({
      status: 'approved',
      captured_amount: subject.body.amount,
    });
  });
});
