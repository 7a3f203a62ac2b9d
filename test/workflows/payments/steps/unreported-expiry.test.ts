import { startEngine, type Engine } from '../../../support/stack/engine';
import { chargeIdOf, pollSilently } from './silent-gateway';
import { done, SteppedPayment } from './stepped-payment';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

const MINUTE_MS = 60_000;

/** An unpaid pix of a gateway without inquiries, and when it expires. */
async function unpaidPix() {
  const payment = await SteppedPayment.create(engine, 'pix');
  const deadline = Date.now() + 10 * MINUTE_MS;
  const pix = { qrCode: '0002', expiresAt: new Date(deadline).toISOString(), endToEndId: null };
  await (await payment.next()).record(done('pending', { amountCents: payment.amount, pix }));
  return { payment, deadline };
}

/** A webhook of the company's account that was signed, or not. */
async function receiveWebhook(payment: SteppedPayment, trusted: boolean): Promise<void> {
  const { attemptId, at } = { attemptId: await chargeIdOf(engine, payment), at: new Date() };
  await engine.context.db.query(
    `INSERT INTO gateway_callbacks (gateway_slug, company_id, payment_id, attempt_id, event_id, kind, body_hash, trusted, received_at, processed_at)
     SELECT a.gateway_slug, p.company_id, p.id, a.id, 'event of another charge', 'status', 'hash', $2, $3, $3
       FROM gateway_attempts a JOIN payments p ON p.id = a.payment_id WHERE a.id = $1`,
    [attemptId, trusted, at],
  );
}

describe('an expired pix of which a gateway without inquiries has reported nothing', () => {
  it('fails as expired an hour later, if signed webhooks of the account have come since it was created', async () => {
    const { payment, deadline } = await unpaidPix();
    await receiveWebhook(payment, true);
    const early = await pollSilently(engine, payment, [], 'signed_callback', deadline + 64 * MINUTE_MS);
    expect(early.step).toMatchObject({ status: 'pending', needsOperator: null });
    const { step } = await pollSilently(engine, payment, [], 'signed_callback', deadline + 65 * MINUTE_MS);
    expect(step).toMatchObject({ status: 'failed', needsOperator: null });
    expect(await payment.body()).toMatchObject({ status: 'failed', code: 'expired' });
  });

  it('waits for an operator, if no signed webhook has come: nobody can tell whether it was paid', async () => {
    const { payment, deadline } = await unpaidPix();
    await receiveWebhook(payment, false);
    const { step } = await pollSilently(engine, payment, [], 'signed_callback', deadline + 65 * MINUTE_MS);
    expect(step.status).toBe('pending');
    expect(step.needsOperator).not.toBeNull();
  });
});
