import { DECLINE_CODES } from '../../../../src/domain/payments/decline-codes';
import { DECLINE_WORDS } from '../../../../src/gateways/stripe/declines';
import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import { chargeRequest, error, METHOD, stripeStub } from './stripe-stub';

const driver = new StripeDriver();
const declinedWith = (fields: object) => {
  const failure = error(402, { type: 'card_error', message: 'Your card was declined.', ...fields });
  return driver.charge(stripeStub(METHOD, failure).ctx, chargeRequest());
};

const decline = async (fields: object) => {
  const outcome = await declinedWith(fields);
  if (outcome.kind !== 'declined') throw new Error(outcome.kind);
  return outcome;
};

describe('a decline', () => {
  it('has the code of the network if Stripe sends it', async () => {
    const words = { code: 'card_declined', decline_code: 'generic_decline' };
    expect(await declinedWith({ ...words, network_decline_code: '05' })).toMatchObject({
      kind: 'declined',
      code: '05',
      message: 'generic_decline',
    });
    expect(await declinedWith({ ...words, network_decline_code: '1a' })).toMatchObject({ code: '1A' });
    // American Express.
    expect(await declinedWith({ ...words, network_decline_code: '116' })).toMatchObject({ code: '116' });
  });

  it.each(['', '5', 'declined', '0005'])('has no code if the network’s is %j', async (network) => {
    expect(
      await declinedWith({ decline_code: 'generic_decline', network_decline_code: network }),
    ).toMatchObject({ code: null, declineClass: 'soft' });
  });

  it.each(Object.entries(DECLINE_WORDS))(
    'with the word %s has the meaning of its row',
    async (word, meaning) => {
      if (meaning.code !== null) expect(Object.keys(DECLINE_CODES)).toContain(meaning.code);
      const { adviceCode, ...outcome } = await decline({ code: 'card_declined', decline_code: word });
      expect(outcome).toEqual({ kind: 'declined', message: word, gatewayTransactionId: null, ...meaning });
      expect(adviceCode ?? '03').toMatch(/^\d{2}$/);
    },
  );

  it('with a word that nobody lists, or without one, is soft and has no code', async () => {
    expect(await declinedWith({ decline_code: 'brand_new_reason' })).toMatchObject({
      code: null,
      declineClass: 'soft',
      message: 'brand_new_reason',
    });
    expect(await declinedWith({})).toMatchObject({ code: null, declineClass: 'soft', message: 'declined' });
  });

  it('repeats no text that could contain data of the customer', async () => {
    const outcome = await declinedWith({ decline_code: 'Ana Lima 4242', code: 'card_declined' });
    expect(JSON.stringify(outcome)).not.toContain('Ana');
  });

  it.each([
    [{ network_advice_code: '03' }, '03'],
    [{ network_advice_code: '3' }, '03'],
    [{ network_advice_code: '24', advice_code: 'do_not_try_again' }, '24'],
    [{ advice_code: 'do_not_try_again' }, '03'],
    [{ advice_code: 'confirm_card_data' }, '01'],
    [{ advice_code: 'try_again_later' }, null],
    [{ decline_code: 'do_not_try_again' }, '03'],
    [{ network_advice_code: 'never' }, null],
    [{}, null],
  ])('with %j has the advice code %s', async (fields, adviceCode) => {
    expect(await declinedWith({ decline_code: 'generic_decline', ...fields })).toMatchObject({ adviceCode });
  });
});
