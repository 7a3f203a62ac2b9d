import type { TextSchema } from '../../../src/http/server/free-text';
import { contract } from '../support/contract';
import { resolvePointer } from '../support/contract-schemas';
import { expectError } from '../support/expect-error';
import { examplePayment, examplePaymentRequest } from '../support/payment-examples';
import { startTestApi, TEST_KEYS, type TestApi } from '../support/test-api';

const NUMBER = '5555555555554444';
const SPACED = '5555 5555 5555 4444';
const REFUSED = ['must not contain a card number'];

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    handlers: { createCardPayment: () => Promise.resolve({ status: 200, body: examplePayment() }) },
  });
});
afterAll(() => api.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${api.baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: { ...TEST_KEYS, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
async function errorsOf(response: Response): Promise<unknown> {
  const body = await expectError(response, 'validation_error');
  expect(JSON.stringify(body)).not.toContain(NUMBER);
  return body.errors;
}

it('a payment with a card number in any text except card.number is refused by field, and no answer repeats a key', async () => {
  const request = examplePaymentRequest();
  const errors = await errorsOf(
    await post(
      '/payments/card',
      {
        ...request,
        merchant_order_id: `order-${NUMBER}`,
        customer: { name: NUMBER, email: `${NUMBER}@example.com`, document: '52998224725' },
        card: { ...request.card, number: NUMBER, holder_name: SPACED },
        billing_address: { ...(request['billing_address'] as object), complementary: SPACED },
        metadata: { note: SPACED, [NUMBER]: 5 },
        installments: 0,
      },
      { 'Idempotency-Key': `pay-${NUMBER}` },
    ),
  );
  expect(errors).toEqual({
    merchant_order_id: REFUSED,
    'customer.name': REFUSED,
    'customer.email': REFUSED,
    'card.holder_name': REFUSED,
    'billing_address.complementary': REFUSED,
    metadata: REFUSED,
    'metadata.note': REFUSED,
    installments: ['must be at least 1'],
    'Idempotency-Key': REFUSED,
  });
});

it('timestamps, long order numbers and unknown properties, which are not stored, are accepted', async () => {
  const request = examplePaymentRequest();
  const accepted = await post(
    '/payments/card',
    {
      ...request,
      merchant_order_id: '1774958400000',
      metadata: { barcode: '9'.repeat(44) },
      unknown: NUMBER,
    },
    { 'Idempotency-Key': 'b163ab03-79e3-4961-b0d6-293290884225' },
  );
  expect(accepted.status).toBe(200);
});

it('data without a schema is searched at every depth, numbers and keys included', async () => {
  const metadata = [{ a: { b: [SPACED] } }, { pan: Number(NUMBER) }, { deep: { [NUMBER]: true } }];
  const errors = await errorsOf(await post('/subscriptions', { metadata }));
  expect(errors).toMatchObject({
    'metadata.0.a.b.0': REFUSED,
    'metadata.1.pan': REFUSED,
    'metadata.2.deep': REFUSED,
  });
});

it('the referrer of a registration is searched too', async () => {
  const errors = await errorsOf(await post('/auth/register', { name: SPACED }, { 'x-client-id': NUMBER }));
  expect(errors).toMatchObject({ 'x-client-id': REFUSED, name: REFUSED });
});

it.each([`card-${NUMBER}`, '5555-5555-5555-4444', `request:${NUMBER}:1`])(
  'the request id %s is replaced by one of ours, because request ids are logged',
  async (given) => {
    const response = await post('/payments/card', {}, { 'X-Request-Id': given });
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
  },
);

it('a request id with a timestamp is kept', async () => {
  const response = await post('/payments/card', {}, { 'X-Request-Id': 'shop-1774958400000' });
  expect(response.headers.get('x-request-id')).toBe('shop-1774958400000');
});

it('exactly these texts of requests may hold digits that look like a card number', () => {
  const exempt = new Set<string>();
  const visit = (schema: TextSchema, name: string): void => {
    if (schema.$ref !== undefined) return visit(resolvePointer(schema.$ref) as TextSchema, name);
    if (schema['x-card-number'] === 'allowed') exempt.add(name);
    for (const [key, part] of Object.entries(schema.properties ?? {})) visit(part, key);
    for (const part of [schema.items, ...(schema.anyOf ?? [])]) if (part !== undefined) visit(part, name);
  };
  for (const { bodySchema } of contract.routes) if (bodySchema !== undefined) visit(bodySchema, '');
  expect([...exempt].sort()).toEqual([
    'account_number',
    'client_id',
    'company_cnpj',
    'company_phone',
    'content',
    'cpf_cnpj',
    'credentials',
    'cvv',
    'document',
    'gateway_transaction_id',
    'holder_document',
    'number',
    'otp',
    'password',
    'password_confirmation',
    'phone',
    'recipient_id',
    'secret_key',
    'token',
    'webhook_secret',
  ]);
});
