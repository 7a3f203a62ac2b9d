import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import { REFUSALS } from '../../../../src/gateways/adyen/declines';
import { adyenStub, chargeRequest, error, ok, payment } from './adyen-stub';

const driver = new AdyenDriver();
const refused = (changes: object) =>
  driver.charge(
    adyenStub(ok(payment({ resultCode: 'Refused', additionalData: {}, ...changes }))).ctx,
    chargeRequest(),
  );
const raw = (refusalReasonRaw: string | null, more: object = {}) =>
  refused({
    refusalReason: 'Refused',
    refusalReasonCode: '2',
    additionalData: { refusalReasonRaw, ...more },
  });

describe('a refusal', () => {
  it.each(Object.entries(REFUSALS))(
    'with the code %s has Adyen’s word and its meaning',
    async (code, [word, meaning]) => {
      const expected = { kind: 'declined', message: word, gatewayTransactionId: 'PSP1', ...meaning };
      expect(await refused({ refusalReasonCode: code, refusalReason: 'x' })).toMatchObject(expected);
      // Older answers have no code.
      expect(await refused({ refusalReason: word })).toMatchObject(expected);
    },
  );

  it.each([
    ['51: Insufficient funds', '51'],
    ['05 : Do not honor', '05'],
    ['N7 : FRAUD', 'N7'],
    ['100 : Deny', '100'],
  ])('with the raw reason %j has the network’s code %s', async (reason, code) => {
    expect(await raw(reason)).toMatchObject({ code, message: 'Refused' });
  });

  it.each(['DECLINED', '2', '', null, 'AUTHORISED', '5: x'])(
    'with the raw reason %j has no code',
    async (reason) => {
      expect(await raw(reason)).toMatchObject({ code: null, declineClass: 'soft' });
    },
  );

  it('has the network’s advice in two digits', async () => {
    expect(await raw('05 : Do not honor', { merchantAdviceCode: '3 : Do not try again' })).toMatchObject({
      adviceCode: '03',
    });
    expect(await raw('05 : Do not honor', { merchantAdviceCode: '24' })).toMatchObject({ adviceCode: '24' });
    expect(await raw('05 : Do not honor', { merchantAdviceCode: 'none' })).toMatchObject({
      adviceCode: null,
    });
  });

  it('that is not listed is soft, with its words if they repeat nothing of the request', async () => {
    const soft = { kind: 'declined', code: null, declineClass: 'soft' };
    expect(await refused({ refusalReasonCode: '99', refusalReason: 'Something new' })).toMatchObject({
      ...soft,
      message: 'Something new',
    });
    for (const words of ['4111111111111111', 'ana@example.com', '', null]) {
      expect(await refused({ refusalReason: words })).toMatchObject({ ...soft, message: 'Refused' });
    }
  });

  it('by a risk rule is called a cancel, and is a decline for fraud', async () => {
    const answer = { resultCode: 'Cancelled', refusalReason: 'FRAUD-CANCELLED', refusalReasonCode: '22' };
    expect(await refused(answer)).toMatchObject({ kind: 'declined', declineClass: 'fraud' });
  });

  it.each([
    ['101', '14'],
    ['103', 'N7'],
    ['129', '54'],
    ['140', '54'],
    ['141', '54'],
    ['154', 'N7'],
  ])('of the card’s data by the error %s is a decline with the code %s', async (errorCode, code) => {
    const outcome = await driver.charge(adyenStub(error(422, errorCode)).ctx, chargeRequest());
    expect(outcome).toMatchObject({ kind: 'declined', code, gatewayTransactionId: null });
    expect(JSON.stringify(outcome)).not.toContain('4111');
  });
});
