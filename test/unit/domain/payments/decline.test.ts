import * as fc from 'fast-check';
import { DECLINE_CLASSES, declineMessage, declineRule } from '../../../../src/domain/payments/decline';
import { DECLINE_CODES } from '../../../../src/domain/payments/decline-codes';
import { loadOracle } from '../../../support/card-networks/oracle';
import type { Reading } from '../../../support/card-networks/recorded-declines';

const { declines, advice } = loadOracle();

const RETRY_BY_READING: Readonly<Record<Reading, string>> = {
  reversible: 'automatic',
  irreversible: 'never',
  contradicted: 'by_request',
};
/** The sources allow a retry, but the cardholder has to act first. */
const NEEDS_CARDHOLDER = ['1A visa', '59 visa', '59 elo', '63 mastercard', '63 hipercard'];

/** The sources name no rule for these, which are read as prohibitions. Others without a rule only inform. */
const READ_AS_NEVER = ['22', '42'];

describe('the retries that a card network allows', () => {
  it.each(declines)('after code %s of %s, which is %s', (code, brand, reading) => {
    const expected = NEEDS_CARDHOLDER.includes(`${code} ${brand}`) ? 'by_request' : RETRY_BY_READING[reading];
    const rule = declineRule({ code, brand, adviceCode: null });
    expect(rule).toMatchObject({ retry: expected, waitMs: 0 });
    expect(rule.class === 'soft').toBe(expected === 'automatic');
    if (expected === 'never') expect(rule.class).toBe('hard');
    if (expected !== 'automatic') expect(rule.failover).toBe('none');
    expect(declineMessage(code)).not.toBe('');
  });

  it.each(advice)('with advice %s of Mastercard: %s, %s s', (adviceCode, retry, waitS) => {
    const rule = declineRule({ code: '51', brand: 'mastercard', adviceCode });
    switch (retry) {
      case 'never':
        return expect(rule).toMatchObject({ retry: 'never', class: 'hard' });
      case 'after a wait':
        return expect(rule).toMatchObject({ retry: 'automatic', waitMs: (waitS ?? NaN) * 1000 });
      case 'after a correction':
        return expect(rule).toMatchObject({ retry: 'by_request', class: 'hard' });
      case 'not stated':
        return expect(rule).toMatchObject({
          retry: READ_AS_NEVER.includes(adviceCode) ? 'never' : 'automatic',
          waitMs: 0,
        });
    }
  });

  it('the table has no row that the lists of the networks do not have', () => {
    const known = new Set(declines.map(([code, brand]) => `${code} ${brand}`));
    const own = Object.entries(DECLINE_CODES).flatMap(([code, { retry }]) =>
      Object.keys(retry).map((brand) => `${code} ${brand}`),
    );
    const added = own.filter((row) => !known.has(row));
    // Mastercard's codes that only the advice code explains are in another list.
    expect(added.sort()).toEqual(['79 mastercard', '82 mastercard', '83 mastercard']);
  });
});

describe('a decline rule', () => {
  it.each(['visa', 'mastercard', 'elo', 'hipercard', 'amex'])(
    'of %s completes a code of one digit, unless it is listed as such',
    (brand) => {
      const rule = (code: string) => declineRule({ code, brand, adviceCode: null });
      expect(rule('4')).toEqual(rule('04'));
      expect(rule('8')).toEqual(brand === 'amex' ? expect.objectContaining({ retry: 'never' }) : rule('08'));
    },
  );

  it.each([
    ['79', '01', 'by_request', 'hard'],
    ['79', '02', 'automatic', 'soft'],
    ['82', '03', 'never', 'hard'],
    ['83', '01', 'by_request', 'auth_required'],
    ['83', '02', 'automatic', 'soft'],
    ['83', '03', 'never', 'hard'],
    ['83', null, 'by_request', 'fraud'],
  ])('of Mastercard’s code %s is what advice %s says: %s, %s', (code, adviceCode, retry, type) => {
    expect(declineRule({ code, brand: 'mastercard', adviceCode })).toMatchObject({ retry, class: type });
  });

  it('is the stricter one of the code’s and the advice’s', () => {
    expect(declineRule({ code: '41', brand: 'mastercard', adviceCode: '24' }).retry).toBe('never');
    expect(declineRule({ code: '54', brand: 'visa', adviceCode: '02' })).toMatchObject({
      retry: 'by_request',
      waitMs: 259_200_000,
    });
  });

  it('reads an advice code without its zero, or with text', () => {
    for (const adviceCode of ['3', '03', '03 : Do not try again', ' 3']) {
      expect(declineRule({ code: '05', brand: 'mastercard', adviceCode }).retry).toBe('never');
    }
    for (const adviceCode of ['', '030', 'x03', '99']) {
      expect(declineRule({ code: '05', brand: 'mastercard', adviceCode }).retry).toBe('automatic');
    }
  });

  it('reads a response code without its zero, in lower case or with spaces', () => {
    expect(declineRule({ code: '4', brand: 'visa', adviceCode: null }).retry).toBe('never');
    expect(declineRule({ code: ' r0 ', brand: 'visa', adviceCode: null }).retry).toBe('never');
    expect(declineRule({ code: '5', brand: 'amex', adviceCode: null }).failover).toBe('another_gateway_once');
  });

  it('of a network that does not list the code is the rule of all that do, or by request if they differ', () => {
    for (const brand of ['diners', 'unknown', null]) {
      const retryAfter = (code: string | null) => declineRule({ code, brand, adviceCode: null }).retry;
      expect(['51', '41', '57', 'ZZ', null].map(retryAfter)).toEqual([
        'automatic',
        'never',
        'by_request',
        'automatic',
        'automatic',
      ]);
    }
    expect(declineRule({ code: '78', brand: 'mastercard', adviceCode: null }).retry).toBe('automatic');
  });

  it.each(['maestro', 'hiper'])('of %s is that of the network whose rules it follows', (brand) => {
    expect(declineRule({ code: '57', brand, adviceCode: null }).retry).toBe('automatic');
  });
});

describe('a decline without a response code', () => {
  const types = fc.constantFrom(...DECLINE_CLASSES);
  const advices = fc.option(fc.constantFrom(...advice.map(([adviceCode]) => adviceCode)));
  const brands = fc.constantFrom('visa', 'mastercard', 'elo', 'amex', null);

  it('is retried automatically only if the driver calls it soft, and never at another gateway', () => {
    fc.assert(
      fc.property(types, advices, brands, (declineType, adviceCode, brand) => {
        const rule = declineRule({ code: null, brand, adviceCode, declineType });
        if (declineType !== 'soft') expect(rule.retry).not.toBe('automatic');
        expect(rule.failover).toBe('none');
        if (adviceCode === null) expect(rule.class).toBe(declineType);
      }),
    );
  });

  it('keeps its rule when its class is read from the attempt again', () => {
    fc.assert(
      fc.property(types, advices, brands, (declineType, adviceCode, brand) => {
        const rule = declineRule({ code: null, brand, adviceCode, declineType });
        expect(declineRule({ code: null, brand, adviceCode, declineType: rule.class })).toEqual(rule);
      }),
    );
  });

  it('has advice that forbids the card like any other decline, and the class of a code is the code’s', () => {
    const soft = { brand: 'mastercard', declineType: 'soft' } as const;
    expect(declineRule({ ...soft, code: null, adviceCode: '03' })).toMatchObject({
      retry: 'never',
      class: 'hard',
    });
    expect(declineRule({ ...soft, code: '41', adviceCode: null })).toMatchObject({
      retry: 'never',
      class: 'hard',
    });
  });
});

describe('a rule of one network', () => {
  it('does not hold for another: advice decides alone for Mastercard, and 83 is fraud there only', () => {
    const rule = (brand: string, code: string, adviceCode: string | null) =>
      declineRule({ code, brand, adviceCode });
    expect(rule('elo', '83', '24').retry).toBe('never');
    expect(rule('mastercard', '83', '24').retry).toBe('automatic');
    expect(rule('mastercard', '83', null).class).toBe('fraud');
    expect(rule('visa', '83', null).class).toBe('hard');
  });
});
