import type { InquirySubject } from '../../../../src/gateways/gateway';
import type { OtherRefund } from '../../../../src/gateways/inquired-refund';
import { GatewayError } from '../../../../src/gateways/errors';
import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import { REFUND_STATUSES } from '../../../../src/gateways/mercadopago/wire';
import {
  failure,
  mercadoPagoStub,
  ok,
  payment,
  REFERENCE,
  refund,
  type StubAnswer,
} from './mercadopago-stub';

const driver = new MercadoPagoDriver();
const inquire = async (answers: readonly StubAnswer[], subject: Partial<InquirySubject> = {}) => {
  const stub = mercadoPagoStub(...answers);
  const result = await driver.inquire(stub.ctx, {
    reference: REFERENCE,
    gatewayTransactionId: null,
    sentAt: null,
    ...subject,
  });
  return { stub, result };
};
const page = (...results: readonly object[]) =>
  ok({ paging: { total: results.length, limit: 100, offset: 0 }, results });
const listed = (changes: object = {}) => ({
  id: 1,
  status: 'approved',
  external_reference: REFERENCE,
  ...changes,
});

describe('an inquiry by our reference', () => {
  it('searches, and reads the payment that it finds', async () => {
    const { stub, result } = await inquire([page(listed()), ok(payment())]);
    expect(result).toMatchObject({ kind: 'found', outcome: { kind: 'approved', gatewayTransactionId: '1' } });
    expect(stub.paths()).toEqual(['GET payments/search', 'GET payments/1']);
    const query = new URL(stub.sent[0]?.url ?? '').searchParams;
    expect(Object.fromEntries(query)).toEqual({
      sort: 'date_created',
      criteria: 'desc',
      external_reference: REFERENCE,
      limit: '100',
    });
    expect(stub.sent.map(({ sendBefore }) => sendBefore)).toEqual([null, null]);
  });

  it('ignores payments of other references, and proves absence if there is none of ours', async () => {
    const foreign = listed({ id: 2, external_reference: 'order 12', status: 'settling' });
    expect((await inquire([page(foreign)])).result).toEqual({ kind: 'not_found' });
    expect((await inquire([page(foreign, listed()), ok(payment())])).result.kind).toBe('found');
  });

  it('takes the payment beside its rejected duplicate, and the duplicate if there is nothing else', async () => {
    const duplicate = listed({ id: 2, status: 'rejected' });
    const { stub } = await inquire([page(duplicate, listed()), ok(payment())]);
    expect(stub.paths().at(-1)).toBe('GET payments/1');
    const rejected = payment({ id: 2, status: 'rejected', status_detail: 'cc_rejected_duplicated_payment' });
    expect((await inquire([page(duplicate), ok(rejected)])).result).toMatchObject({
      outcome: { kind: 'declined', declineClass: 'hard', gatewayTransactionId: '2' },
    });
  });

  it.each<[string, readonly StubAnswer[]]>([
    ['two payments', [page(listed(), listed({ id: 2 })), ok(payment())]],
    ['more payments than a page has', [ok({ paging: { total: 2 }, results: [listed()] }), ok(payment())]],
    ['a payment that it does not know by its id', [page(listed()), failure(404, 2000)]],
    [
      'a payment that has another reference by its id',
      [page(listed()), ok(payment({ external_reference: 'x' }))],
    ],
    ['a proxy’s page', [{ status: 404, body: '<html>' }]],
    ['a lost answer', [new GatewayError('ambiguous', 'lost')]],
    ['an error of its own', [failure(500)]],
  ])('proves nothing if the gateway answers with %s', async (_, answers) => {
    expect((await inquire(answers)).result.kind).toBe('inconclusive');
  });
});

describe('an inquiry by the gateway’s id', () => {
  const byId = { gatewayTransactionId: '1' };

  it('reads the payment, and asks for the network’s ids', async () => {
    const { stub, result } = await inquire([ok(payment())], byId);
    expect([stub.paths(), result.kind]).toEqual([['GET payments/1'], 'found']);
    expect(stub.sent[0]?.headers).toMatchObject({
      authorization: 'Bearer TEST-stub',
      'x-expand-responde-nodes': 'gateway.reference',
    });
  });

  it('searches if the payment is another one, and proves no absence if the id is unknown', async () => {
    const other = ok(payment({ external_reference: 'order 12' }));
    expect((await inquire([other, page()], byId)).result).toEqual({ kind: 'not_found' });
    expect((await inquire([failure(404, 2000)], byId)).result.kind).toBe('inconclusive');
  });

  it('names the credentials as the cause if they are refused', async () => {
    expect((await inquire([failure(401)], byId)).result).toMatchObject({ credentialsRejected: true });
  });
});

describe('an inquiry about an operation', () => {
  const about = async (
    operation: string,
    answers: readonly StubAnswer[],
    more: Partial<InquirySubject> = {},
  ) =>
    (await inquire(answers, { reference: `${REFERENCE}-${operation}`, gatewayTransactionId: '1', ...more }))
      .result;

  it.each([
    ['capture', 'approved', 'approved'],
    ['capture', 'refunded', 'approved'],
    ['capture', 'authorized', 'not_found'],
    ['capture', 'cancelled', 'not_found'],
    ['cancel', 'cancelled', 'canceled'],
    ['cancel', 'authorized', 'not_found'],
    ['cancel', 'approved', 'not_found'],
  ])('%s of a payment that is %s: %s', async (operation, status, expected) => {
    const result = await about(operation, [ok(payment({ status }))]);
    expect(result.kind === 'found' ? result.outcome.kind : result.kind).toBe(expected);
  });

  const refundOf = (refunds: readonly object[], others: readonly OtherRefund[] = []) =>
    about('refund', [ok(payment()), ok(refunds)], { refund: { amountCents: 500, others } });

  it.each([
    ['approved', 'refunded'],
    [null, 'refunded'],
    ['in_process', 'pending'],
    ['rejected', 'declined'],
    ['cancelled', 'declined'],
  ])('finds a refund by its amount: one that is %s is %s', async (status, expected) => {
    expect(await refundOf([refund({ amount: 5, status }), refund({ amount: 6 })])).toMatchObject({
      kind: 'found',
      outcome: { kind: expected, gatewayTransactionId: '1' },
    });
  });

  it('knows each state of a refund, and proves nothing with any other', async () => {
    expect([...REFUND_STATUSES]).toEqual(['approved', 'in_process', 'rejected', 'cancelled']);
    expect((await refundOf([refund({ amount: 5, status: 'settling' })])).kind).toBe('inconclusive');
  });

  it('does not take another recorded refund of the same amount for it', async () => {
    const recorded = { amountCents: 500, status: 'refunded' } as const;
    expect(await refundOf([refund({ amount: 5 })], [recorded])).toEqual({ kind: 'not_found' });
    expect((await refundOf([refund({ amount: 5 }), refund({ amount: 5 })], [recorded])).kind).toBe('found');
    expect((await refundOf([refund({ amount: 5 })], [{ ...recorded, status: 'unknown' }])).kind).toBe(
      'inconclusive',
    );
  });

  it('proves nothing if the payment is another one, or nothing is known of the refund', async () => {
    const other = ok(payment({ external_reference: 'order 12' }));
    expect((await about('refund', [other])).kind).toBe('inconclusive');
    expect((await about('refund', [ok(payment())])).kind).toBe('inconclusive');
  });
});

describe('the credentials', () => {
  it('are verified by a request that changes nothing', async () => {
    const stub = mercadoPagoStub(page());
    await driver.verifyCredentials(stub.ctx);
    expect(stub.paths()).toEqual(['GET payments/search']);
    await expect(driver.verifyCredentials(mercadoPagoStub(failure(401)).ctx)).rejects.toMatchObject({
      family: 'bad_credentials',
    });
  });

  it.each([
    ['APP_USR-4934588586838432-110512-6b22d0d4a6a8cce0-241983636', true],
    ['TEST-4934588586838432-110512-6b22d0d4a6a8cce0', true],
    ['sk_live_51H0000000000000', false],
    ['APP_USR-1', false],
  ])('have the shape of Mercado Pago’s: %s', (token, expected) => {
    const [field] = driver.credentialFields;
    expect(field?.shape?.pattern.test(token)).toBe(expected);
  });
});
