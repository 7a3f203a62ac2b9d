import type { KnownRecipient, SubaccountInformation } from '../../../../src/gateways/recipient';
import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import {
  chargeRequest,
  error,
  followUp,
  intent,
  METHOD,
  ok,
  stripeStub,
  type StubAnswer,
} from './stripe-stub';

const driver = new StripeDriver();
const REFERENCE = '0190a6f0-7e2c-7c3a-9b1a-2f5d1c3e4b5c';
const OWNER: SubaccountInformation = {
  name: 'Loja da Ana',
  email: 'loja@example.com',
  document: '52998224725',
  type: 'individual',
};
const LINK = ok({ object: 'account_link', url: 'https://connect.stripe.com/setup/e/1' });
const account = (changes: object = {}) => ({
  id: 'acct_1',
  object: 'account',
  metadata: { reference: REFERENCE },
  details_submitted: true,
  capabilities: { transfers: 'active', card_payments: 'active' },
  requirements: { disabled_reason: null, currently_due: [] },
  ...changes,
});
const CONSENT = { status: 'needs_consent', consentUrl: 'https://connect.stripe.com/setup/e/1' };
const INCOMPLETE = account({ details_submitted: false, capabilities: { transfers: 'inactive' } });

const created = (...answers: readonly StubAnswer[]) => {
  const stub = stripeStub(...answers);
  const made = driver.createRecipient(stub.ctx, REFERENCE, OWNER).catch((thrown: unknown) => thrown);
  return { stub, made };
};
const found = (known: Partial<KnownRecipient>, ...answers: readonly StubAnswer[]) => {
  const stub = stripeStub(...answers);
  const stored = { recipientId: null, sentAt: new Date(), information: OWNER, secret: null, ...known };
  const result = driver.findRecipient(stub.ctx, REFERENCE, stored).catch((thrown: unknown) => thrown);
  return { stub, result };
};

describe('a recipient at Stripe', () => {
  it.each([
    [account(), { status: 'active', message: null }],
    [account({ capabilities: { transfers: 'pending' } }), { status: 'pending' }],
    [account({ requirements: { disabled_reason: 'rejected.fraud' } }), { status: 'refused' }],
    [account({ requirements: { currently_due: ['tos_acceptance.date'] }, capabilities: {} }), CONSENT],
    [INCOMPLETE, CONSENT],
  ])('is %j: %j', async (body, expected) => {
    expect(await created(ok(body), LINK).made).toMatchObject({ recipientId: 'acct_1', ...expected });
  });

  it('is an account of the platform’s liability, whose owner gets a link to Stripe’s form', async () => {
    const { stub, made } = created(ok(INCOMPLETE), LINK);
    await made;
    expect(stub.paths()).toEqual(['POST accounts', 'POST account_links']);
    expect(stub.form(0)).toEqual({
      country: 'BR',
      email: 'loja@example.com',
      business_type: 'individual',
      'business_profile[name]': 'Loja da Ana',
      'individual[id_number]': '52998224725',
      'controller[fees][payer]': 'application',
      'controller[losses][payments]': 'application',
      'controller[requirement_collection]': 'stripe',
      'controller[stripe_dashboard][type]': 'express',
      'capabilities[card_payments][requested]': 'true',
      'capabilities[transfers][requested]': 'true',
      'metadata[reference]': REFERENCE,
    });
    expect(stub.form(1)).toMatchObject({ account: 'acct_1', type: 'account_onboarding' });
    // A repeated key would bring an old link.
    expect(stub.sent.map(({ headers }) => headers['idempotency-key'])).toEqual(['key', undefined]);
  });

  it('is pending until the next inquiry if its link could not be made, because the account exists', async () => {
    for (const failure of [400, 500]) {
      const type = failure === 400 ? 'invalid_request_error' : 'api_error';
      const { made } = created(ok(INCOMPLETE), error(failure, { type }));
      expect(await made).toMatchObject({ recipientId: 'acct_1', status: 'pending' });
    }
  });

  it('is not refused if the platform itself may not create accounts', async () => {
    const message = "You can only create new accounts if you've signed up for Connect.";
    const { made } = created(error(400, { type: 'invalid_request_error', message }));
    expect(await made).toMatchObject({ family: 'unsupported' });
  });

  it('is unknown if the answer is of another recipient', async () => {
    const { made } = created(ok(account({ metadata: { reference: 'another' } })));
    expect(await made).toMatchObject({ family: 'ambiguous' });
  });

  it('is found by its id, and after a lost answer by the list around the time of its creation', async () => {
    const byId = found({ recipientId: 'acct_1' }, ok(account()));
    expect(await byId.result).toMatchObject({ status: 'active' });
    expect(byId.stub.paths()).toEqual(['GET accounts/acct_1']);
    const page = (ids: readonly string[], has_more: boolean, reference = REFERENCE) =>
      ok({ object: 'list', data: ids.map((id) => ({ id, metadata: { reference } })), has_more });
    const sentAt = new Date('2026-06-15T12:00:00Z');
    const listed = found({ sentAt }, page(['acct_0'], true, 'x'), page(['acct_1'], false), ok(account()));
    expect(await listed.result).toMatchObject({ recipientId: 'acct_1', status: 'active' });
    const queries = listed.stub.sent.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
    const second = { starting_after: 'acct_0', 'created[gte]': String(sentAt.getTime() / 1000 - 300) };
    expect(queries[1]).toMatchObject(second);
    expect(await found({}, page([], false)).result).toBeNull();
    expect(await found({}, page(['acct_1', 'acct_2'], false)).result).toMatchObject({ family: 'ambiguous' });
    expect(await found({}, page(['acct_0'], true, 'x')).result).toMatchObject({ family: 'ambiguous' });
    expect(await found({ sentAt: null }, page([], false)).result).toMatchObject({ family: 'ambiguous' });
  });
});

describe('a payment of one recipient at Stripe', () => {
  const split = { recipientId: 'acct_1', amountCents: 12_990, liable: false, chargeProcessingFee: false };
  const own = intent({ transfer_data: { destination: 'acct_1' } });

  it('is a destination charge without a fee, and counts only if the answer names the recipient', async () => {
    const stub = stripeStub(METHOD, ok(own));
    expect(await driver.charge(stub.ctx, chargeRequest({ splits: [split] }))).toMatchObject({
      kind: 'approved',
    });
    expect(stub.form(1)).toMatchObject({ 'transfer_data[destination]': 'acct_1' });
    expect(Object.keys(stub.form(1))).not.toContain('application_fee_amount');
    const whole = stripeStub(METHOD, ok(intent())).ctx;
    await expect(driver.charge(whole, chargeRequest({ splits: [split] }))).rejects.toMatchObject({
      family: 'ambiguous',
    });
  });

  it('takes a refund back from its recipient, and only that of a split payment', async () => {
    const stub = stripeStub(error(500, { type: 'api_error' }));
    for (const splits of [[split], []]) {
      await driver.refund(stub.ctx, followUp({ splits })).catch(() => null);
    }
    expect(stub.form(0)).toMatchObject({ reverse_transfer: 'true' });
    expect(Object.keys(stub.form(1))).not.toContain('reverse_transfer');
  });

  it('is captured only after its recipient was compared with the charge’s', async () => {
    const stub = stripeStub(ok(own), ok(intent({ transfer_data: { destination: 'acct_1' } })));
    await driver.capture(stub.ctx, followUp({ splits: [split] })).catch(() => null);
    expect(stub.paths()).toEqual(['GET payment_intents/pi_1', 'POST payment_intents/pi_1/capture']);
    const lost = stripeStub(error(500, { type: 'api_error' }));
    await expect(driver.capture(lost.ctx, followUp({ splits: [split] }))).rejects.toMatchObject({
      family: 'not_sent',
    });
    expect(lost.paths()).toEqual(['GET payment_intents/pi_1']);
  });
});
