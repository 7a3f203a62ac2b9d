import { CieloDriver } from '../../../../src/gateways/cielo/driver';
import { GatewayError } from '../../../../src/gateways/errors';
import type { CardVerificationRequest } from '../../../../src/gateways/gateway';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { CARD, chargeRequest, cieloStub, empty, ok, REFERENCE, type StubAnswer } from './cielo-stub';

const driver = new CieloDriver();

function request(brand = 'visa'): CardVerificationRequest {
  const { currency, customer, reference } = chargeRequest();
  const initiation = { initiator: 'customer', reason: 'first_saved' } as const;
  return { reference, currency, customer, billingAddress: null, card: { ...CARD, brand }, initiation };
}
const verify = (answer: StubAnswer): Promise<unknown> =>
  driver.verifyCard(cieloStub(answer).ctx, request()).catch((thrown: unknown) => thrown);

describe('a verification', () => {
  it('is an authorization of zero with our reference in a header', async () => {
    const stub = cieloStub(ok({ Valid: true, ReturnCode: '00', IssuerTransactionId: '58' }));
    expect(await driver.verifyCard(stub.ctx, request())).toMatchObject({
      kind: 'verified',
      networkIds: { transactionId: '58' },
    });
    expect(stub.paths()).toEqual(['POST api zeroauth']);
    expect(stub.sent[0]).toMatchObject({ headers: { RequestId: REFERENCE } });
    expect(stub.body(0)).toMatchObject({
      CardType: 'CreditCard',
      CardNumber: CARD.number,
      CardOnFile: { Usage: 'First', Reason: 'Unscheduled' },
    });
  });

  it.each<[string, StubAnswer]>([
    ['a code that is no success', ok({ Valid: true, ReturnCode: '05' })],
    ['no result', ok({ ReturnCode: '00' })],
    ['an empty 404', empty(404)],
    ['a lost connection', new GatewayError('ambiguous', 'the answer was incomplete')],
  ])('answered with %s is ambiguous', async (_, answer) => {
    expect(await verify(answer)).toMatchObject({ family: 'ambiguous' });
  });

  it('of another network’s card is refused before anything is sent', async () => {
    const stub = cieloStub(empty(404));
    await expect(driver.verifyCard(stub.ctx, request('amex'))).rejects.toMatchObject({
      family: 'unsupported',
    });
    expect(stub.sent).toEqual([]);
  });
});

describe.each<[sample: string, status: number, result: object]>([
  ['060', 200, { kind: 'verified' }],
  ['061', 200, { kind: 'declined', code: '57' }],
  ['062', 400, { family: 'invalid_request', code: '57' }],
  ['063', 400, { family: 'invalid_request', code: '389' }],
])('the sample %s of the manual', (name, status, result) => {
  describeWithOracle(`cielo/samples/${name}.json`, 'as the answer to a verification', (body) => {
    it('has the expected result', async () => {
      expect(await verify({ status, body })).toMatchObject(result);
    });
  });
});
