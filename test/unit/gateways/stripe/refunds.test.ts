import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import { REFUND_STATUSES } from '../../../../src/gateways/stripe/wire';
import { charge, error, followUp, intent, ok, REFERENCE, refund, stripeStub } from './stripe-stub';

const driver = new StripeDriver();
const OPERATION = `${REFERENCE}-refund`;

const send = async (answer: object) => {
  const { ctx } = stripeStub(ok(answer));
  return driver.refund(ctx, followUp()).catch((thrown: unknown) => thrown);
};
const withRefunds = (refunds: object[], changes: object = {}) =>
  intent({ latest_charge: charge({ refunds: { data: refunds, has_more: false } }), ...changes });
const inquire = async (reference: string, object: object) =>
  driver.inquire(stripeStub(ok(object)).ctx, { reference, gatewayTransactionId: 'pi_1', sentAt: null });
const chargeStateOf = async (object: object) => {
  const result = await inquire(REFERENCE, object);
  return result.kind === 'found' && result.outcome.kind !== 'declined' ? result.outcome.chargeState : result;
};

/** What the answer to a refund in each state is, and what an inquiry finds. */
const ROWS: Readonly<Record<(typeof REFUND_STATUSES)[number], readonly [object, object]>> = {
  succeeded: [{ kind: 'refunded', amountCents: 12_990 }, { outcome: { kind: 'refunded' } }],
  pending: [{ kind: 'pending', amountCents: 12_990 }, { outcome: { kind: 'pending' } }],
  requires_action: [{ kind: 'pending' }, { outcome: { kind: 'pending' } }],
  failed: [
    { kind: 'declined', code: null, declineClass: 'soft', message: 'expired_or_canceled_card' },
    { outcome: { kind: 'declined' } },
  ],
  canceled: [{ kind: 'declined', code: null, message: 'refund_canceled' }, { outcome: { kind: 'declined' } }],
};

describe('a refund', () => {
  it.each([...REFUND_STATUSES])('that is %s has the outcome of its row', async (status) => {
    const reason = status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {};
    const object = refund({ status, ...reason });
    const [answer, found] = ROWS[status];
    expect(await send(object)).toMatchObject(answer);
    expect(await inquire(OPERATION, withRefunds([object]))).toMatchObject(found);
  });

  it.each([
    { status: 'lost' },
    { amount: 1 },
    { payment_intent: 'pi_2' },
    { metadata: { reference: `${REFERENCE}-refund-2` } },
  ])('answered with %j is ambiguous', async (change) => {
    expect(await send(refund(change))).toMatchObject({ family: 'ambiguous' });
  });

  it('is not found while the charge lists none of its reference', async () => {
    const other = refund({ metadata: { reference: `${REFERENCE}-refund-2` } });
    expect(await inquire(OPERATION, withRefunds([other]))).toEqual({ kind: 'not_found' });
    expect(await inquire(OPERATION, intent({ metadata: { reference: 'another' } }))).toMatchObject({
      kind: 'inconclusive',
    });
  });

  it('is found behind the first ten, which the charge lists', async () => {
    const many = charge({ refunds: { data: [refund({ metadata: {} })], has_more: true } });
    const page = ok({ object: 'list', data: [refund()], has_more: false });
    const stub = stripeStub(ok(intent({ latest_charge: many })), page);
    const subject = { reference: OPERATION, gatewayTransactionId: 'pi_1', sentAt: null };
    expect(await driver.inquire(stub.ctx, subject)).toMatchObject({ outcome: { kind: 'refunded' } });
    expect(stub.paths()).toEqual(['GET payment_intents/pi_1', 'GET refunds']);
  });

  it('of a charge without money, or of an unknown charge, is an invalid request', async () => {
    for (const [status, code] of [
      [400, 'charge_already_refunded'],
      [404, 'resource_missing'],
    ] as const) {
      const { ctx } = stripeStub(error(status, { type: 'invalid_request_error', code }));
      await expect(driver.refund(ctx, followUp())).rejects.toMatchObject({ family: 'invalid_request', code });
    }
  });
});

describe('the state of a charge', () => {
  const dashboard = (amount: number, changes: object = {}) => refund({ metadata: {}, amount, ...changes });
  const released = (amount: number) => dashboard(amount, { id: 're_0', balance_transaction: null });

  it('counts refunds that were made in Stripe’s dashboard', async () => {
    expect(await chargeStateOf(withRefunds([dashboard(990), refund({ amount: 2_000 })]))).toEqual({
      status: 'approved',
      capturedCents: 12_990,
      refundedCents: 2_990,
      paidCents: 0,
    });
    expect(await chargeStateOf(withRefunds([dashboard(12_990)]))).toMatchObject({ status: 'refunded' });
  });

  it('counts no refund that failed, was canceled or is not decided', async () => {
    const refunds = ['failed', 'canceled', 'pending', 'requires_action'].map((status) => refund({ status }));
    expect(await chargeStateOf(withRefunds(refunds))).toMatchObject({ refundedCents: 0 });
  });

  it('does not count the rest that a partial capture released', async () => {
    const captured = { amount_received: 9_000 };
    expect(await chargeStateOf(withRefunds([released(3_990)], captured))).toMatchObject({
      capturedCents: 9_000,
      refundedCents: 0,
    });
    // A refund of the same amount came later; newest first.
    const both = [dashboard(3_990), released(3_990)];
    expect(await chargeStateOf(withRefunds(both, captured))).toMatchObject({ refundedCents: 3_990 });
  });

  it('counts a refund made in the dashboard of exactly the released rest, if Stripe lists no release', async () => {
    const object = withRefunds([dashboard(3_990)], { amount_received: 9_000 });
    expect(await chargeStateOf(object)).toMatchObject({ capturedCents: 9_000, refundedCents: 3_990 });
  });

  it('does not count what a cancel released', async () => {
    const canceled = { status: 'canceled', amount_received: 0 };
    expect(await chargeStateOf(withRefunds([released(12_990)], canceled))).toEqual({
      status: 'canceled',
      capturedCents: 0,
      refundedCents: 0,
      paidCents: 0,
    });
  });
});
