import { uniqueAmount } from '../../support/scenarios/pay';
import { paymentRequest } from '../../support/fixtures/payments';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { found, newKey, pendingPix, pendingRequest } from '../support/payment-scenario';

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi(
    {
      PAYMENT_SYNC_TIMEOUT: '4',
      STUCK_AFTER: '20',
      PUBLIC_BASE_URL: 'https://pay.example.com',
    },
    { workers: 'payments' },
  );
  client = await registerWithGateways(api, ['gateway_1', 'gateway_2']);
});
afterAll(() => api.stop());

const create = (change: object = {}, headers: Record<string, string> = {}) =>
  client('createPixPayment', { body: pendingRequest(change), headers });

/** The pix’s lifetime in seconds from its creation, rounded to a minute. */
function lifetime(payment: Awaited<ReturnType<typeof pendingPix>>): number {
  const expiresAt = Date.parse(payment.transactions[0]?.pix?.expires_at ?? '');
  const seconds = (expiresAt - Date.parse(payment.created_at ?? '')) / 1_000;
  return Math.round(seconds / 60) * 60;
}

describe('POST /payments/pix', () => {
  it('answers 200 with a pending payment, the pix code and the URL of its picture', async () => {
    const { body } = expectStatus(await create(), 200);
    expect(body).toMatchObject({
      status: 'pending',
      message: 'pending',
      payment_method: 'pix',
      attempts: 1,
      captured_amount: 0,
      clock: null,
    });
    expect(body).not.toHaveProperty('card');
    const [charge] = body.transactions;
    expect(charge).toMatchObject({
      operation: 'charge',
      status: 'pending',
      billet: null,
      pix: {
        qr_code: expect.stringMatching(/^000201.*br\.gov\.bcb\.pix.*6304[0-9A-F]{4}$/),
        qr_code_url: `https://pay.example.com/pix/${charge?.id}.png`,
        end_to_end_id: null,
      },
    });
    expect(await found(client, body)).toEqual(body);
  });

  it('expires after 24 hours, or after the requested time', async () => {
    expect(lifetime(await pendingPix(client))).toBe(86_400);
    expect(lifetime(await pendingPix(client, { pix_expires_in: 3_600 }))).toBe(3_600);
  });

  it('creates the same payment as the card route with the payment method pix', async () => {
    const body = paymentRequest({ payment_method: 'pix', card: null, billing_address: null });
    const answer = expectStatus(await client('createCardPayment', { body }), 200);
    expect(answer.body).toMatchObject({ status: 'pending', payment_method: 'pix' });
    expect(answer.body.transactions[0]?.pix?.qr_code).toBeTruthy();
  });

  it('accepts payment_method pix in the body, and ignores fields of other methods', async () => {
    const { body } = expectStatus(
      await create({
        payment_method: 'pix',
        installments: 3,
        save_card: true,
        card: { number: '4111111111111111' },
        billet_due_at: '2001-01-01',
      }),
      200,
    );
    expect(body).toMatchObject({ status: 'pending', installments: 1 });
    expect(body).not.toHaveProperty('card');
  });

  it('answers a repeated key with the recorded answer, and 422 for the key on another route', async () => {
    const headers = newKey();
    const first = expectStatus(await create({}, headers), 200);
    const second = expectStatus(await create({}, headers), 200);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    const billet = await client('createBilletPayment', { body: pendingRequest(), headers });
    expect(expectStatus(billet, 422).body.code).toBe('idempotency_key_reused');
  });

  it('answers 202 while the gateway has not answered', async () => {
    const amount = uniqueAmount();
    await api.engine.simulator.script({ amount, operation: 'charge' }, { delay_ms: 4_500 });
    const { body } = expectStatus(await create({ amount }), 202);
    expect(body).toMatchObject({ status: 'processing', payment_method: 'pix' });
  });

  it.each([
    [{ payment_method: 'card' }, 'payment_method', 'must be pix here'],
    [{ payment_method: 'cash' }, 'payment_method', 'must be one of: card, pix, billet'],
    [{ capture: false }, 'capture', 'must not be false for pix: only a card can be authorized'],
    [{ currency: 'USD' }, 'currency', 'must be BRL for pix'],
    [{ pix_expires_in: 59 }, 'pix_expires_in', 'must be at least 60'],
    [{ pix_expires_in: 1_209_601 }, 'pix_expires_in', 'must be at most 1209600'],
    [{ amount: 99 }, 'amount', 'must be at least 100 cents'],
    [{ customer: { token: 'cus_unknown' } }, 'customer.token', 'names no customer of yours'],
  ])('answers 422 with the field for %j', async (change, field, message) => {
    const { body } = expectStatus(await create(change), 422);
    expect(body).toMatchObject({ code: 'validation_error', errors: { [field]: [message] } });
  });

  it('answers 422 no_gateway_available if the company has no gateway', async () => {
    const bare = await registerWithGateways(api, []);
    const answer = await bare('createPixPayment', { body: pendingRequest() });
    expect(expectStatus(answer, 422).body.code).toBe('no_gateway_available');
  });

  it('answers 401 without a valid key pair', async () => {
    expectStatus(await api.anonymous('createPixPayment', { body: pendingRequest() }), 401);
  });
});
