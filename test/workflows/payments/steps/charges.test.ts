import { inquireAttempt } from '../../../../activities/payments/inquire-attempt';
import { recordCharge, type UpdateSource } from '../../../../activities/payments/record-charge';
import type { ChargeUpdate } from '../../../../activities/payments/attempt-result-mapper';
import { CREDENTIALS_REJECTED } from '../../../../src/domain/routing/circuit';
import { NOT_SENT_LOCALLY } from '../../../../src/gateways/errors';
import { requestsOf } from '../../../support/scenarios/purchase';
import { insertResolution } from '../../../support/scenarios/resolve';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { ABSENT, SteppedPayment, declined, done, failed, withCapabilities } from './stepped-payment';

/* What the result of a charge is worth, also from an inquiry or an operator, and when a charge is sent again. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

const record = (
  payment: SteppedPayment,
  id: string,
  update: ChargeUpdate,
  { sendCount = 1, source = { kind: 'call' } }: { sendCount?: number; source?: UpdateSource } = {},
) => recordCharge(engine.deps, payment.id, { id, sendCount }, update, source);

async function claimed(kind: 'sale' | 'authorization' | 'pix' = 'sale') {
  const payment = await SteppedPayment.create(engine, kind, ['gateway_1', 'gateway_4']);
  const { attemptId } = await payment.next();
  return { payment, id: attemptId };
}

describe('the result of a charge', () => {
  it('counts towards the circuit of its gateway if it is a technical failure', async () => {
    const circuitAfter = async (answer: ReturnType<typeof failed>) => {
      const { payment, id } = await claimed();
      await record(payment, id, answer);
      return engine.context.db.queryOne<{ failures: number; reason: string | null; open: boolean }>(
        `SELECT cardinality(recent_failures) AS failures, reason, open_until > now() AS open
           FROM gateway_circuits WHERE company_id = $1 AND gateway_slug = 'gateway_1'`,
        [payment.subject.company.id],
      );
    };
    for (const family of ['rate_limited', 'not_sent', 'ambiguous']) {
      expect(await circuitAfter(failed(family))).toMatchObject({ failures: 1, reason: null });
    }
    const rejected = { failures: 1, reason: CREDENTIALS_REJECTED, open: true };
    expect(await circuitAfter(failed('bad_credentials'))).toEqual(rejected);
    for (const family of ['unsupported', 'invalid_request'])
      expect(await circuitAfter(failed(family))).toBeNull();
    expect(await circuitAfter(failed('not_sent', NOT_SENT_LOCALLY))).toBeNull();
    expect(await circuitAfter(declined())).toBeNull();
  });

  it('opens the circuit for the configured time after the fifth failure, with its reason', async () => {
    const { payment, id } = await claimed();
    for (let failure = 0; failure < 5; failure += 1) {
      await payment.changeAttempt(id, `status = 'sent'`);
      await record(payment, id, failed('ambiguous'));
    }
    const circuit = await engine.context.db.queryOne<{ reason: string; ms: number }>(
      `SELECT reason, (EXTRACT(EPOCH FROM open_until - now()) * 1000)::float8 AS ms
         FROM gateway_circuits WHERE company_id = $1`,
      [payment.subject.company.id],
    );
    const { circuitOpenForMs } = engine.deps.settings;
    expect([circuit?.reason, Math.abs((circuit?.ms ?? 0) - circuitOpenForMs) < 5_000]).toEqual(['no', true]);
  });

  it('of an earlier sending decides nothing, except that it succeeded', async () => {
    const { payment, id } = await claimed();
    await payment.changeAttempt(id, 'send_count = 2');
    for (const update of [declined(), failed('invalid_request'), ABSENT]) await record(payment, id, update);
    expect(await payment.attempt(id)).toMatchObject({ status: 'sent', responseCode: null });
    await record(payment, id, { kind: 'confirmed', message: 'seen' });
    expect(await payment.body()).toMatchObject({ status: 'approved' });
  });

  it('that an inquiry brings is listed with the inquiry and keeps the time of the charge', async () => {
    const { payment, id } = await claimed();
    await record(payment, id, failed('ambiguous'));
    await record(payment, id, done('approved'), { source: { kind: 'inquiry', requestMs: 77 } });
    const rows = await engine.context.attempts.listByTransaction(payment.id);
    expect(rows.map(({ operation, requestMs }) => [operation, requestMs])).toEqual([
      ['charge', 12],
      ['inquiry', 77],
    ]);
    // The inquiry itself adds its time to the payment.
    expect(await payment.row()).toMatchObject({ gatewaysRequestMs: 12 });
  });

  it('that an operator brings counts once it was asked for, and once for each resolution', async () => {
    const { payment, id } = await claimed();
    await record(payment, id, failed('ambiguous'));
    const { id: resolutionId } = await insertResolution(engine, payment.id, 'paid');
    const resolution = await engine.context.resolutions.find((await payment.row()).id, resolutionId);
    if (resolution === null) throw new Error('no resolution');
    const source = { kind: 'operator', resolution } as const;
    const confirmed = { kind: 'confirmed', message: 'seen' } as const;
    expect(await record(payment, id, confirmed, { source })).toMatchObject({ status: 'processing' });
    await payment.changeAttempt(id, 'escalated_at = now()');
    const other = { ...resolution, id: payment.id };
    const none = await record(payment, id, confirmed, { source: { kind: 'operator', resolution: other } });
    expect(none).toMatchObject({ status: 'processing', attempt: { attemptId: id, status: 'unknown' } });
    expect(await record(payment, id, confirmed, { source })).toMatchObject({ status: 'approved' });
    expect(await payment.rows()).toEqual(['charge gateway_1 approved']);
  });
});

describe('what the gateway says about a charge', () => {
  const DAY_MS = 86_400_000;

  it('at as many attempts as are allowed fails the payment, and not one earlier', async () => {
    const payment = await SteppedPayment.create(engine, 'sale', ['gateway_1', 'gateway_4', 'gateway_5']);
    const { deps } = engine;
    const two = { ...deps, settings: { ...deps.settings, maxAttempts: 2 } };
    await (await payment.next(two)).record(failed('rate_limited'));
    expect(await payment.body()).toMatchObject({ status: 'processing' });
    await (await payment.next(two)).record(failed('rate_limited'));
    expect(await payment.body()).toMatchObject({ status: 'failed', code: 'gateway_error' });
  });

  it('that is a decline is judged by the rules of the card’s network', async () => {
    const payment = await SteppedPayment.create(engine, 'sale', ['gateway_1', 'gateway_4'], {
      card: {
        number: '5555555555554444',
        holder_name: 'A B',
        expire_month: 12,
        expire_year: 2035,
        cvv: '737',
      },
    });
    await (await payment.next()).record(declined('91', '03'));
    expect(await payment.body()).toMatchObject({ status: 'failed', code: 'declined' });
  });

  it('that is an authorization can be captured for as long as its gateway says', async () => {
    const payment = await SteppedPayment.create(engine, 'authorization');
    const captureBefore = new Date(Date.now() + 3 * DAY_MS).toISOString();
    await (await payment.next()).record(done('authorized', { captureBefore }));
    const { captureBefore: stored, gatewaysRequestMs } = await payment.row();
    expect([stored?.toISOString(), gatewaysRequestMs]).toEqual([captureBefore, 12]);
    const other = await SteppedPayment.charged(engine, 'authorization');
    expect((await other.row()).captureBefore?.getTime()).toBeGreaterThan(Date.now());
  });

  it('that is a pix expires when its gateway says, and may have been paid already', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const pix = { qrCode: 'code', expiresAt, endToEndId: null };
    const payment = await SteppedPayment.create(engine, 'pix');
    await (await payment.next()).record(done('pending', { pix, paidAmountCents: 0 }));
    expect((await payment.row()).expiresAt?.toISOString()).toBe(expiresAt);
    expect(await payment.body()).toMatchObject({ status: 'pending' });
    const paid = await SteppedPayment.create(engine, 'pix');
    await (await paid.next()).record(done('pending', { pix, paidAmountCents: paid.amount }));
    expect(await paid.row()).toMatchObject({ status: 'approved', paidAmountCents: paid.amount });
  });

  it('that is a boleto expires some days after the due date that its gateway set, or else that was requested', async () => {
    const payment = await SteppedPayment.create(engine, 'billet');
    const billet = { line: '1', barcode: '1', url: 'https://billet.example', dueAt: '2031-03-03' };
    await payment.change(`billet_due_at = '2032-03-01'`);
    await (await payment.next()).record(done('pending', { billet }));
    expect((await payment.row()).expiresAt?.toISOString()).toBe('2031-03-07T03:00:00.000Z');
    const requested = await SteppedPayment.create(engine, 'billet');
    await requested.change(`billet_due_at = '2032-03-01'`);
    await (await requested.next()).record(done('pending'));
    expect((await requested.row()).expiresAt?.toISOString()).toBe('2032-03-05T03:00:00.000Z');
  });

  it('that was returned at once holds no money, whatever the gateway says was paid', async () => {
    const payment = await SteppedPayment.create(engine, 'pix');
    await (await payment.next()).record(done('canceled', { paidAmountCents: 100 }));
    expect(await payment.row()).toMatchObject({ status: 'failed', paidAmountCents: null });
  });
});

describe('a charge of unknown outcome at a gateway that only replays idempotency keys', () => {
  const replayWindowMs = 60_000;

  /** The second charge of a payment: the first one has failed. */
  async function unknown() {
    const payment = await SteppedPayment.create(engine, 'sale', ['gateway_1', 'gateway_4']);
    await (await payment.next()).record(failed('rate_limited'));
    const worker = await payment.next();
    await worker.record(failed('ambiguous'));
    const inquire = (change: Partial<Engine['deps']> = {}) => {
      const deps = withCapabilities(engine.deps, { idempotency: 'replay', replayWindowMs });
      return inquireAttempt({ ...deps, ...change }, payment.id, worker.attemptId);
    };
    const sent = async () => (await requestsOf(engine, payment.subject, 'charge')).length;
    return { payment, attemptId: worker.attemptId, inquire, sent };
  }

  it('is sent again, and not once the gateway could have forgotten the key when it arrives', async () => {
    const { payment, attemptId, inquire, sent } = await unknown();
    const { sendWindowMs, gatewayTimeoutMs } = engine.deps.settings;
    const { createdAt } = await payment.row();
    const tooLateMs = replayWindowMs - sendWindowMs - gatewayTimeoutMs;
    await inquire({ now: payment.depsAt(createdAt, tooLateMs).now });
    expect([await sent(), (await payment.attempt(attemptId)).sendCount]).toEqual([0, 1]);
    const { now } = payment.depsAt(createdAt, tooLateMs - 1);
    expect(await inquire({ now })).toMatchObject({ status: 'approved' });
    expect([await sent(), (await payment.attempt(attemptId)).sendCount]).toEqual([1, 2]);
  });

  it('is not sent again by a worker that was slower than another one', async () => {
    const { payment, attemptId, inquire, sent } = await unknown();
    const { vault } = engine.deps;
    const read: typeof vault.read = async (...card) => {
      await payment.changeAttempt(attemptId, 'send_count = 2');
      return vault.read(...card);
    };
    await inquire({ vault: Object.assign(Object.create(vault) as typeof vault, { read }) });
    expect([await sent(), (await payment.attempt(attemptId)).sendCount]).toEqual([0, 2]);
  });

  it('stays unknown once the secret that it was sent with is erased', async () => {
    const { payment, inquire, sent } = await unknown();
    const erase = 'UPDATE gateway_secrets SET sealed_values = NULL WHERE company_id = $1';
    await engine.context.db.query(erase, [payment.subject.company.id]);
    expect(await inquire()).toMatchObject({ status: 'processing' });
    expect([await sent(), await payment.rows()]).toEqual([
      0,
      ['charge gateway_1 error', 'charge gateway_4 unknown'],
    ]);
  });
});
