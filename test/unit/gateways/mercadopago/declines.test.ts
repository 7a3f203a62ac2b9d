import { DECLINE_CODES } from '../../../../src/domain/payments/decline-codes';
import { DECLINE_WORDS } from '../../../../src/gateways/mercadopago/declines';
import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import { mercadoPagoStub, ok, payment, REFERENCE } from './mercadopago-stub';

const driver = new MercadoPagoDriver();
const decline = async (statusDetail: string | null) => {
  const stub = mercadoPagoStub(ok(payment({ status: 'rejected', status_detail: statusDetail })));
  const subject = { reference: REFERENCE, gatewayTransactionId: '1', sentAt: null };
  const result = await driver.inquire(stub.ctx, subject);
  return result.kind === 'found' ? result.outcome : result.kind;
};

/** The documented words, each with the code of issuers that says the same, or a class. */
const EXPECTED: Readonly<Record<string, string>> = {
  cc_rejected_insufficient_amount: '51',
  cc_rejected_bad_filled_card_number: '14',
  cc_rejected_bad_filled_date: '54',
  cc_rejected_bad_filled_security_code: '82',
  cc_rejected_bad_filled_other: 'hard',
  cc_rejected_card_disabled: '78',
  cc_rejected_call_for_authorize: 'soft',
  cc_rejected_high_risk: 'fraud',
  cc_rejected_blacklist: 'fraud',
  cc_rejected_3ds_mandatory: '1A',
  cc_rejected_3ds_challenge: '1A',
  cc_rejected_max_attempts: '65',
  cc_rejected_card_error: 'soft',
  cc_rejected_other_reason: 'soft',
  cc_rejected_card_type_not_allowed: 'hard',
  cc_rejected_duplicated_payment: 'hard',
  cc_rejected_invalid_installments: 'hard',
};

describe('a rejected payment', () => {
  it.each(Object.entries(EXPECTED))('with %s means %s', async (word, expected) => {
    const outcome = await decline(word);
    expect(outcome).toMatchObject({ kind: 'declined', message: word, adviceCode: null });
    const { code, declineClass } = outcome as { code: string | null; declineClass?: string };
    expect(code ?? declineClass).toBe(expected);
  });

  it.each(Object.entries(DECLINE_WORDS))(
    'with the word %s has the meaning of its row',
    async (word, meaning) => {
      if (meaning.code !== null) expect(Object.keys(DECLINE_CODES)).toContain(meaning.code);
      expect(await decline(word)).toMatchObject(meaning);
    },
  );

  it.each([null, '', 'brand_new_reason', 'Ana Lima 4242'])(
    'with %j is soft, allows no failover and repeats no text of unknown content',
    async (word) => {
      const message = word === 'brand_new_reason' ? word : 'rejected';
      expect(await decline(word)).toMatchObject({ code: null, declineClass: 'soft', message });
    },
  );

  it('never has the code 05, which would send it to another gateway', () => {
    expect(Object.values(DECLINE_WORDS).map(({ code }) => code)).not.toContain('05');
  });
});
