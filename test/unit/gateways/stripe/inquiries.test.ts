import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import { error, intent, ok, REFERENCE, stripeStub, type StubAnswer } from './stripe-stub';

const driver = new StripeDriver();
const SENT_AT = new Date('2026-05-04T12:00:00Z');
const page = (data: object[], has_more = false) => ok({ object: 'list', data, has_more });
const NOTHING = ok({ object: 'search_result', data: [], has_more: false });
const SEARCH = 'GET payment_intents/search';
const LIST = 'GET payment_intents';
const BY_ID = 'GET payment_intents/pi_1';
/** As the list and the search show it: the charge is not expanded. */
const listed = (changes: object = {}) => intent({ latest_charge: 'ch_1', ...changes });

const inquire = async (answers: readonly StubAnswer[], sentAt: Date | null = SENT_AT) => {
  const stub = stripeStub(...answers);
  const subject = { reference: REFERENCE, gatewayTransactionId: null, sentAt };
  return { stub, result: await driver.inquire(stub.ctx, subject) };
};
const queryOf = (url = '') => Object.fromEntries(new URL(url).searchParams);

describe('an inquiry by our reference', () => {
  it('asks the search for what is older', async () => {
    const { stub, result } = await inquire([page([listed()]), ok(intent())]);
    expect(result).toMatchObject({ kind: 'found', outcome: { kind: 'approved' } });
    expect(queryOf(stub.sent[0]?.url)).toEqual({
      query: `metadata['reference']:'${REFERENCE}'`,
      limit: '100',
    });
    expect(stub.paths()).toEqual([SEARCH, BY_ID]);
    expect(queryOf(stub.sent[1]?.url)).toEqual({ 'expand[0]': 'latest_charge.refunds' });
  });

  it('asks the list of the time of the request for what the search does not know yet, page by page', async () => {
    const other = listed({ id: 'pi_other', metadata: { reference: 'another' } });
    const { stub, result } = await inquire([NOTHING, page([other], true), page([listed()]), ok(intent())]);
    expect(result).toMatchObject({ kind: 'found' });
    expect(stub.paths()).toEqual([SEARCH, LIST, LIST, BY_ID]);
    const sent = SENT_AT.getTime() / 1000;
    expect(queryOf(stub.sent[2]?.url)).toEqual({
      'created[gte]': String(sent - 300),
      'created[lte]': String(sent + 300),
      limit: '100',
      starting_after: 'pi_other',
    });
  });

  it('reads a page that also has payments of others that the driver cannot read', async () => {
    const foreign = { id: 'pi_foreign', status: 'requires_magic', amount: null, metadata: null };
    const { result } = await inquire([NOTHING, page([foreign, listed()]), ok(intent())]);
    expect(result).toMatchObject({ kind: 'found', outcome: { kind: 'approved' } });
    expect((await inquire([NOTHING, page([foreign])])).result).toEqual({ kind: 'not_found' });
  });

  it('proves absence only if the list was read to its end', async () => {
    expect((await inquire([NOTHING, page([])])).result).toEqual({ kind: 'not_found' });
    const endless = await inquire([NOTHING, page([intent({ metadata: {} })], true)]);
    expect(endless.result).toMatchObject({ kind: 'inconclusive' });
    expect(endless.stub.sent).toHaveLength(21);
    const untimed = await inquire([NOTHING], null);
    expect(untimed.result).toMatchObject({ kind: 'inconclusive' });
  });

  it.each([
    [page([listed(), listed({ id: 'pi_2' })])],
    [error(404, { type: 'invalid_request_error', code: 'resource_missing' })],
    [error(500, { type: 'api_error' })],
    [{ status: 404, body: 'not found' }],
    [{ status: 200, body: { data: [] } }],
  ])('is inconclusive after %j', async (answer) => {
    expect((await inquire([answer])).result.kind).toBe('inconclusive');
  });

  it.each([
    [ok(intent({ status: 'requires_magic' }))],
    [error(404, { type: 'invalid_request_error', code: 'resource_missing' })],
  ])('is inconclusive if the payment that it finds is then shown as %j', async (answer) => {
    expect((await inquire([page([listed()]), answer])).result.kind).toBe('inconclusive');
  });

  it('tells that Stripe refused the secret', async () => {
    const { result } = await inquire([error(401, { type: 'invalid_request_error' })]);
    expect(result).toMatchObject({ kind: 'inconclusive', credentialsRejected: true });
  });
});

describe('an inquiry by Stripe’s id', () => {
  const byId = (answers: readonly StubAnswer[], reference = REFERENCE) => {
    const stub = stripeStub(...answers);
    return driver.inquire(stub.ctx, { reference, gatewayTransactionId: 'pi_1', sentAt: SENT_AT });
  };

  it('proves no absence if Stripe does not know the id: the key may be of the other mode', async () => {
    const missing = error(404, { type: 'invalid_request_error', code: 'resource_missing' });
    expect(await byId([missing, NOTHING, page([])])).toMatchObject({ kind: 'inconclusive' });
  });

  it('of another payment’s charge asks for our reference', async () => {
    expect(await byId([ok(intent({ metadata: {} })), NOTHING, page([])])).toEqual({ kind: 'not_found' });
  });

  it('finds a capture by its reference, and a cancel by the state', async () => {
    const capture = `${REFERENCE}-capture`;
    const captured = { metadata: { reference: REFERENCE, capture_reference: capture }, amount_received: 990 };
    expect(await byId([ok(intent(captured))], capture)).toMatchObject({
      outcome: { kind: 'approved', amountCents: 990, chargeState: null },
    });
    expect(await byId([ok(intent())], capture)).toEqual({ kind: 'not_found' });
    const cancel = `${REFERENCE}-cancel`;
    const canceled = { status: 'canceled', amount_received: 0 };
    expect(await byId([ok(intent(canceled))], cancel)).toMatchObject({
      outcome: { kind: 'canceled', amountCents: 12_990 },
    });
    expect(await byId([ok(intent())], cancel)).toEqual({ kind: 'not_found' });
  });
});
