import fc from 'fast-check';
import type { ChargeUpdate } from '../../../activities/payments/attempt-result-mapper';
import { prepareChargeCall } from '../../../activities/payments/call-gateway';
import { claimAttempt } from '../../../activities/payments/claim-attempt';
import { recordCharge } from '../../../activities/payments/record-charge';
import type { SplitRequest } from '../../../src/application/payments/payment-request';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { startEngine, type Engine } from '../../support/stack/engine';
import { ledgerOf, pay } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  flat,
  newRecipient,
  operate,
  percentage,
  saveAsSubAccount,
  sharesOf,
} from '../../support/fixtures/splits';
import { resolve } from '../../support/scenarios/resolve';
import { waitFor } from '../../support/stack/wait-for';

let engine: Engine;
let company: AuthenticatedCompany;
let shop: string;
let partner: string;
beforeAll(async () => {
  engine = await startEngine();
  company = await newCompany(engine);
  [shop, partner] = [await newRecipient(engine, company), await newRecipient(engine, company)];
});
afterAll(() => engine.stop());

const sale = (splits: SplitRequest[], amount = 10_000) => pay(engine, company, { amount, splits });
const authorization = (splits: SplitRequest[], amount = 10_000) =>
  pay(engine, company, { amount, splits, capture: false });

describe('a capture of a split payment', () => {
  it('recipients receive nothing before the capture', async () => {
    const authorized = await authorization([percentage(shop, 70), percentage(partner, 30)]);
    expect(await sharesOf(engine, authorized)).toEqual({});
  });

  it.each([
    ['percentages', (): SplitRequest[] => [percentage(shop, 70), percentage(partner, 30)]],
    ['flat splits', (): SplitRequest[] => [flat(shop, 7_000), flat(partner, 3_000)]],
  ])('a full capture with %s gives each recipient its share', async (_, splits) => {
    const captured = await operate(engine, company, await authorization(splits()), 'capture');
    expect(captured.body).toMatchObject({ status: 'approved', captured_amount: 10_000 });
    expect(await sharesOf(engine, captured)).toEqual({ [shop]: 7_000, [partner]: 3_000 });
  });

  it('a partial capture divides its amount by the percentages, to the cent', async () => {
    const authorized = await authorization([percentage(shop, 70), percentage(partner, 30)]);
    const captured = await operate(engine, company, authorized, 'capture', { amount: 3_333 });
    expect(captured.body).toMatchObject({ status: 'approved', captured_amount: 3_333 });
    expect(await sharesOf(engine, captured)).toEqual({ [shop]: 2_333, [partner]: 1_000 });
  });

  it('a partial capture of flat splits is rejected unless it has its own splits', async () => {
    const authorized = await authorization([flat(shop, 7_000), flat(partner, 3_000)]);
    await expect(operate(engine, company, authorized, 'capture', { amount: 5_000 })).rejects.toMatchObject({
      code: 'validation_error',
      fields: { splits: [expect.stringContaining('flat splits need the whole amount')] },
    });
    const splits = [flat(shop, 4_999), flat(partner, 1)];
    const captured = await operate(engine, company, authorized, 'capture', { amount: 5_000, splits });
    expect(await sharesOf(engine, captured)).toEqual({ [shop]: 4_999, [partner]: 1 });
  });

  it('a capture can have other splits among the recipients of the company', async () => {
    const authorized = await authorization([percentage(shop, 70), percentage(partner, 30)]);
    const otherRecipient = await newRecipient(engine, await newCompany(engine));
    const unknown = { splits: [percentage(shop, 50), percentage(otherRecipient, 50)] };
    await expect(operate(engine, company, authorized, 'capture', unknown)).rejects.toMatchObject({
      code: 'validation_error',
      fields: { 'splits.1.recipient_id': ['names no recipient of yours'] },
    });
    const splits = [percentage(partner, 100)];
    const captured = await operate(engine, company, authorized, 'capture', { splits });
    expect(await sharesOf(engine, captured)).toEqual({ [partner]: 10_000 });
  });
});

describe('a refund of a split payment', () => {
  it('a partial refund is taken from each recipient in proportion', async () => {
    const paid = await sale([percentage(shop, 70), percentage(partner, 30)]);
    const refunded = await operate(engine, company, paid, 'refund', { amount: 1_000 });
    expect(refunded.body).toMatchObject({ status: 'approved', refunded_amount: 1_000 });
    expect(await sharesOf(engine, refunded)).toEqual({ [shop]: 6_300, [partner]: 2_700 });
  });

  it('a full refund leaves every recipient with nothing', async () => {
    const paid = await sale([flat(shop, 9_999), flat(partner, 1)]);
    const refunded = await operate(engine, company, paid, 'refund');
    expect(refunded.body.status).toBe('refunded');
    expect(await sharesOf(engine, refunded)).toEqual({ [shop]: 0, [partner]: 0 });
  });

  it('any partial refunds that add up to the whole leave every recipient with nothing', async () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 99 }), amounts, async (percent, partials) => {
        const total = partials.reduce((sum, partial) => sum + partial, 100);
        let paid = await sale([percentage(shop, percent), percentage(partner, 100 - percent)], total);
        for (const amount of [...partials, 100]) {
          paid = { ...paid, ...(await operate(engine, company, paid, 'refund', { amount })) };
        }
        expect(paid.body.status).toBe('refunded');
        expect(await sharesOf(engine, paid)).toEqual({ [shop]: 0, [partner]: 0 });
      }),
      { numRuns: 8 },
    );
  });

  it('a refund follows the splits of the capture, not of the authorization', async () => {
    const authorized = await authorization([percentage(shop, 70), percentage(partner, 30)]);
    const splits = [percentage(shop, 10), percentage(partner, 90)];
    await operate(engine, company, authorized, 'capture', { amount: 4_000, splits });
    const part = await operate(engine, company, authorized, 'refund', { amount: 1_000 });
    expect(await sharesOf(engine, part)).toEqual({ [shop]: 300, [partner]: 2_700 });
    const whole = await operate(engine, company, authorized, 'refund');
    expect(whole.body).toMatchObject({ status: 'refunded', refunded_amount: 4_000 });
    expect(await sharesOf(engine, whole)).toEqual({ [shop]: 0, [partner]: 0 });
  });

  it('a partial refund of flat splits is rejected unless it has its own splits', async () => {
    const paid = await sale([flat(shop, 7_000), flat(partner, 3_000)]);
    await expect(operate(engine, company, paid, 'refund', { amount: 500 })).rejects.toMatchObject({
      fields: { splits: [expect.stringContaining('flat splits need the whole amount')] },
    });
    const splits = [flat(partner, 500)];
    const refunded = await operate(engine, company, paid, 'refund', { amount: 500, splits });
    expect(await sharesOf(engine, refunded)).toEqual({ [shop]: 7_000, [partner]: 2_500 });
  });

  it('a refund that exceeds the holding of a recipient is rejected', async () => {
    const paid = await sale([percentage(shop, 90), percentage(partner, 10)]);
    const splits = [flat(partner, 600)];
    await operate(engine, company, paid, 'refund', { amount: 600, splits });
    await expect(operate(engine, company, paid, 'refund', { amount: 600, splits })).rejects.toMatchObject({
      code: 'validation_error',
      fields: { 'splits.0.amount': ['is more than the recipient still holds, 400 cents'] },
    });
  });
});

describe('a split pix of which a part was paid and accepted', () => {
  it('its recipients have received nothing, so a refund takes nothing from them', async () => {
    const splits = [percentage(shop, 70), percentage(partner, 30)];
    const pix = { payment_method: 'pix', card: null, billing_address: null } as const;
    const paid = await pay(engine, company, { amount: 10_000, splits, ...pix });
    const { transaction_id: id } = paid.body;
    await engine.simulator.pay(id, 4_000);
    const advanceTo = new Date(Date.now() + 2 * 86_400_000);
    await engine.payments.advanceClock.execute({ companyId: company.id, id, advanceTo });
    await waitFor(async () => (await engine.context.payments.get(id)).stuckAt !== null);
    await resolve(engine, id, 'paid');
    expect(await sharesOf(engine, paid)).toEqual({});
    const ofRecipient = operate(engine, company, paid, 'refund', {
      amount: 100,
      splits: [percentage(shop, 100)],
    });
    await expect(ofRecipient).rejects.toMatchObject({
      fields: { 'splits.0.amount': ['is more than the recipient still holds, 0 cents'] },
    });
    const part = await operate(engine, company, paid, 'refund', { amount: 1_000 });
    expect(part.body).toMatchObject({ status: 'approved', captured_amount: 4_000, refunded_amount: 1_000 });
    const whole = await operate(engine, company, paid, 'refund');
    expect(whole.body).toMatchObject({ status: 'refunded', refunded_amount: 4_000 });
    expect(await sharesOf(engine, paid)).toEqual({});
  });
});

describe('a split charge that is approved after it was abandoned and superseded', () => {
  it('its reversal takes from each recipient exactly what it received', async () => {
    const splits = [percentage(shop, 70), percentage(partner, 30)];
    const paid = await pay({ ...engine, payments: engine.idlePayments }, company, { amount: 10_000, splits });
    const { transaction_id: transactionId } = paid.body;
    const charge = async () => {
      const claim = await claimAttempt(engine.deps, { companyId: company.id, transactionId });
      if (claim.kind !== 'charge') throw new Error(`there is nothing to charge: ${claim.kind}`);
      const { payment, attempt, gateway } = claim;
      const send = await prepareChargeCall(engine.deps, payment, attempt, gateway);
      const answer = await send(new Date(Date.now() + 1_000));
      return (update: ChargeUpdate = answer) =>
        recordCharge(engine.deps, transactionId, attempt, update, { kind: 'call' });
    };
    const recordFirst = await charge();
    await recordFirst({ kind: 'absent', message: 'abandoned' });
    const recordSecond = await charge();
    await recordSecond();
    await recordFirst();
    await engine.sweeper.sweepOnce();
    await waitFor(async () => (await ledgerOf(engine, paid.body)).refunded === 10_000);
    expect(await sharesOf(engine, paid)).toEqual({ [shop]: 7_000, [partner]: 3_000 });
  });
});

describe('a payment with a sub-account credential', () => {
  it('captures go to the recipient, and refunds are taken from it', async () => {
    const owner = await newCompany(engine, []);
    const recipient = await saveAsSubAccount(engine, owner);
    const authorized = await pay(engine, owner, { amount: 10_000, capture: false });
    const captured = await operate(engine, owner, authorized, 'capture', { amount: 6_000 });
    expect(captured.body).toMatchObject({ status: 'approved', captured_amount: 6_000 });
    expect(await sharesOf(engine, captured)).toEqual({ [recipient]: 6_000 });
    const part = await operate(engine, owner, authorized, 'refund', { amount: 1_000 });
    expect(await sharesOf(engine, part)).toEqual({ [recipient]: 5_000 });
    const whole = await operate(engine, owner, authorized, 'refund');
    expect(whole.body.status).toBe('refunded');
    expect(await sharesOf(engine, whole)).toEqual({ [recipient]: 0 });
  });
});
