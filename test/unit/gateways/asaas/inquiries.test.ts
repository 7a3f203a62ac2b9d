import fc from 'fast-check';
import { AsaasDriver } from '../../../../src/gateways/asaas/driver';
import { asaasStub, error, list, ok, payment, REFERENCE, refund, type StubAnswer } from './asaas-stub';

const driver = new AsaasDriver();
const OTHER = REFERENCE.replace(/-1$/, '-2');

function inquire(gatewayTransactionId: string | null, ...answers: readonly StubAnswer[]) {
  const stub = asaasStub(...answers);
  const subject = { reference: REFERENCE, gatewayTransactionId, sentAt: new Date() };
  return driver.inquire(stub.ctx, subject).then((result) => ({ result, stub }));
}

describe('an inquiry by our reference', () => {
  it('finds the payment in the list with one request', async () => {
    const { result, stub } = await inquire(null, list(payment()));
    expect(result).toMatchObject({ kind: 'found', outcome: { gatewayTransactionId: 'pay_1' } });
    expect(stub.sent.map(({ url }) => url)).toEqual([
      `http://asaas.invalid/v3/payments?externalReference=${REFERENCE}&limit=100`,
    ]);
  });

  it('proves absence by an empty list of Asaas only', async () => {
    expect((await inquire(null, list())).result).toEqual({ kind: 'not_found' });
    for (const answer of [
      ok({ object: 'list', data: [] }),
      ok({ hasMore: false, totalCount: 0, data: [] }),
      ok({ object: 'list', hasMore: false, totalCount: 3, data: [] }),
      list(payment({ externalReference: OTHER })),
      error(404, 'not_found'),
      error(429, 'too_many_requests'),
      error(500, 'internal_error'),
      { status: 200, body: '' },
    ])
      expect((await inquire(null, answer)).result.kind).toBe('inconclusive');
  });

  it('leaves two payments of one reference to a person, because Asaas has no idempotency keys', async () => {
    const { result } = await inquire(null, list(payment(), payment({ id: 'pay_2' })));
    expect(result.kind).toBe('inconclusive');
  });
});

it('no answer that is not Asaas’ makes an inquiry throw, or prove anything', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.constantFrom(null, 'pay_1'), async (body, id) => {
      for (const status of [200, 404]) {
        const { result } = await inquire(id, { status, body });
        expect(result.kind).toBe('inconclusive');
      }
    }),
    { examples: [[{ ...payment(), status: 'ON_HOLD' }, 'pay_1']] },
  );
});

describe('an inquiry by Asaas’ id', () => {
  it('looks our reference up if the id is another payment’s', async () => {
    const { result, stub } = await inquire('pay_9', ok(payment({ externalReference: OTHER })), list());
    expect(result).toEqual({ kind: 'not_found' });
    expect(stub.paths()).toEqual(['GET payments/pay_9', 'GET payments']);
  });

  it('proves nothing if Asaas does not know it: the key may be another account’s', async () => {
    expect((await inquire('pay_1', error(404, 'not_found'))).result.kind).toBe('inconclusive');
  });

  it('names the credentials as the cause if they are refused', async () => {
    for (const answer of [error(401, 'invalid_access_token'), error(403, 'forbidden')])
      expect((await inquire('pay_1', answer)).result).toMatchObject({ credentialsRejected: true });
    expect((await inquire('pay_1', error(400, 'invalid_action'))).result).not.toMatchObject({
      credentialsRejected: true,
    });
  });

  it('of an operation on another charge proves nothing', async () => {
    const reference = `${REFERENCE}-refund`;
    const { ctx } = asaasStub(ok(payment({ externalReference: OTHER })));
    const subject = { reference, gatewayTransactionId: 'pay_1', sentAt: null };
    expect((await driver.inquire(ctx, subject)).kind).toBe('inconclusive');
  });
});

describe('an inquiry about a refund that is not listed', () => {
  const inquired = async (amountCents: number, shown: object = {}, ...listed: readonly object[]) => {
    const { ctx } = asaasStub(ok(payment(shown)), list(...listed));
    const subject = { reference: `${REFERENCE}-refund`, gatewayTransactionId: 'pay_1', sentAt: null };
    return (await driver.inquire(ctx, { ...subject, refund: { amountCents, others: [] } })).kind;
  };

  it('proves the absence only of a refund of all that is left, which Asaas makes once', async () => {
    const other = refund({ value: 100, description: 'painel' });
    expect(await inquired(12_990)).toBe('not_found');
    expect(await inquired(2_990, {}, other)).toBe('not_found');
    expect(await inquired(2_989, {}, other)).toBe('inconclusive');
    expect(await inquired(2_990, {}, { ...other, status: 'CANCELLED' })).toBe('inconclusive');
  });

  it('proves no absence while the payment itself shows a refund', async () => {
    for (const status of ['REFUND_REQUESTED', 'REFUND_IN_PROGRESS', 'REFUNDED'])
      expect(await inquired(12_990, { status })).toBe('inconclusive');
  });
});
