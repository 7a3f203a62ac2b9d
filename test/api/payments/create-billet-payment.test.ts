import { defaultDueDate } from '../../../src/domain/payments/billet-calendar';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { found, newKey, pendingRequest } from '../support/payment-scenario';

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  client = await registerWithGateways(api);
});
afterAll(() => api.stop());

const create = (change: object = {}, headers: Record<string, string> = {}) =>
  client('createBilletPayment', { body: pendingRequest(change), headers });

describe('POST /payments/billet', () => {
  it('answers 200 with a pending payment and the billet to print, due in three business days', async () => {
    const dueAt = [defaultDueDate(new Date(), 3)];
    const { body } = expectStatus(await create(), 200);
    // The day may have changed during the request.
    dueAt.push(defaultDueDate(new Date(), 3));
    expect(body).toMatchObject({ status: 'pending', payment_method: 'billet', captured_amount: 0 });
    const [charge] = body.transactions;
    expect(charge).toMatchObject({
      operation: 'charge',
      status: 'pending',
      pix: null,
      billet: {
        line: expect.stringMatching(/^\d{47}$/),
        barcode: expect.stringMatching(/^\d{44}$/),
        url: expect.stringMatching(/^http/),
      },
    });
    expect(dueAt).toContain(charge?.billet?.due_at);
    expect(await found(client, body)).toEqual(body);
  });

  it('sets the requested due date, even if it is not a business day', async () => {
    const sunday = '2031-03-02';
    const { body } = expectStatus(
      await create({ billet_due_at: sunday, billet_instructions: 'Not after the due date.' }),
      200,
    );
    expect(body.transactions[0]?.billet?.due_at).toBe(sunday);
  });

  it('accepts payment_method billet in the body, and ignores fields of other methods', async () => {
    const change = { payment_method: 'billet', pix_expires_in: 60, installments: 6 };
    const { body } = expectStatus(await create(change), 200);
    expect(body).toMatchObject({ status: 'pending', installments: 1 });
  });

  it('answers a repeated key with the recorded answer', async () => {
    const headers = newKey();
    const first = expectStatus(await create({}, headers), 200);
    const second = expectStatus(await create({}, headers), 200);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  it.each([
    [{ payment_method: 'pix' }, 'payment_method', /^must be billet here$/],
    [{ capture: false }, 'capture', /only a card can be authorized/],
    [{ currency: 'USD' }, 'currency', /^must be BRL for billet$/],
    [{ billet_due_at: '2020-01-01' }, 'billet_due_at', /^must not be before today in Brasília/],
    [{ billet_due_at: '2031-02-30' }, 'billet_due_at', /^must be a date/],
    [{ billet_instructions: 'x'.repeat(256) }, 'billet_instructions', /^must have at most 255 characters$/],
  ])('answers 422 with the field for %j', async (change, field, message) => {
    const { body } = expectStatus(await create(change), 422);
    expect(body).toMatchObject({
      code: 'validation_error',
      errors: { [field]: [expect.stringMatching(message)] },
    });
  });

  it('answers 401 without a valid key pair', async () => {
    expectStatus(await api.anonymous('createBilletPayment', { body: pendingRequest() }), 401);
  });
});
