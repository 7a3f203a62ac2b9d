import fc from 'fast-check';
import { installmentOptions, type InstallmentOption } from '../../../src/domain/checkout/installment-options';
import type { Offer } from '../../../src/domain/checkout/payment-link';
import {
  addInstallmentTermErrors,
  DEFAULT_INSTALLMENT_TERMS,
  effectiveTerms,
  NO_OWN_INSTALLMENT_TERMS,
  type InstallmentTerms,
} from '../../../src/domain/companies/installment-terms';
import { FieldErrorCollector } from '../../../src/domain/shared/validation';

const MAX_CHARGE_CENTS = 999_999_999_999;

function offer(amountCents: number | null, change: Partial<Offer> = {}): Offer {
  return { type: 'one_time', amountCents, currency: 'BRL', paymentMethods: ['card', 'pix'], ...change };
}
const terms = (change: Partial<InstallmentTerms> = {}): InstallmentTerms => ({
  ...DEFAULT_INSTALLMENT_TERMS,
  ...change,
});
const buyerPays = (rates: Readonly<Record<number, number>>, change: Partial<InstallmentTerms> = {}) =>
  terms({
    interest: 'buyer',
    interestRates: Object.entries(rates).map(([installments, basisPoints]) => ({
      installments: Number(installments),
      basisPoints,
    })),
    ...change,
  });
const countsOf = (options: readonly InstallmentOption[]) => options.map(({ installments }) => installments);
const inFull = (cents: number): InstallmentOption => ({
  ...{ installments: 1, amountCents: cents, firstCents: cents, totalCents: cents, interestCents: 0 },
});

describe('the installments of a checkout', () => {
  const anyTerms: fc.Arbitrary<InstallmentTerms> = fc.record({
    maxInstallments: fc.integer({ min: 1, max: 24 }),
    minInstallmentCents: fc.oneof(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 1, max: MAX_CHARGE_CENTS }),
    ),
    interest: fc.constantFrom('merchant', 'buyer'),
    interestRates: fc.uniqueArray(
      fc.record({
        installments: fc.integer({ min: 2, max: 24 }),
        basisPoints: fc.integer({ min: 0, max: 10_000 }),
      }),
      { selector: ({ installments }) => installments },
    ),
  });
  const price = fc.oneof(
    fc.integer({ min: 100, max: 50_000 }),
    fc.integer({ min: 100, max: MAX_CHARGE_CENTS }),
  );

  it('add up to the total exactly, and the total to the price and the interest', () => {
    fc.assert(
      fc.property(price, anyTerms, (cents, any) => {
        for (const option of installmentOptions(offer(cents), any)) {
          const { installments, amountCents, firstCents, totalCents, interestCents } = option;
          expect(firstCents + amountCents * (installments - 1)).toBe(totalCents);
          expect(cents + interestCents).toBe(totalCents);
          expect(firstCents - amountCents).toBeGreaterThanOrEqual(0);
          expect(firstCents - amountCents).toBeLessThan(installments);
        }
      }),
    );
  });

  it('are never more than the maximum, smaller than the minimum or above what can be charged', () => {
    fc.assert(
      fc.property(price, anyTerms, (cents, any) => {
        const [first, ...others] = installmentOptions(offer(cents), any);
        expect(first).toEqual(inFull(cents));
        for (const { installments, amountCents, totalCents } of others) {
          expect(installments).toBeLessThanOrEqual(any.maxInstallments);
          expect(amountCents).toBeGreaterThanOrEqual(any.minInstallmentCents);
          expect(totalCents).toBeLessThanOrEqual(MAX_CHARGE_CENTS);
        }
      }),
    );
  });

  it('cost the price if the merchant pays the interest, and never more than the rate if the buyer does', () => {
    fc.assert(
      fc.property(price, anyTerms, (cents, any) => {
        for (const { installments, interestCents } of installmentOptions(offer(cents), any)) {
          const rate = any.interestRates.find((one) => one.installments === installments);
          const isFree = any.interest === 'merchant' || installments === 1;
          const exact = BigInt(cents) * BigInt(isFree ? 0 : (rate?.basisPoints ?? -1));
          const charged = BigInt(interestCents) * 10_000n;
          expect(charged <= exact && exact - charged < 10_000n).toBe(true);
        }
      }),
    );
  });

  it('are, unless the company sets something else, up to twelve of at least 5.00 without interest', () => {
    const defaults = effectiveTerms(NO_OWN_INSTALLMENT_TERMS, DEFAULT_INSTALLMENT_TERMS);
    const options = installmentOptions(offer(100_000), defaults);
    expect(countsOf(options)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(
      options.every(({ totalCents, interestCents }) => totalCents === 100_000 && interestCents === 0),
    ).toBe(true);
    expect(countsOf(installmentOptions(offer(1_500), defaults))).toEqual([1, 2, 3]);
    expect(countsOf(installmentOptions(offer(1_499), defaults))).toEqual([1, 2]);
    expect(installmentOptions(offer(499), defaults)).toEqual([inFull(499)]);
  });

  it('give the first installment what is left over by the division', () => {
    const [, , three] = installmentOptions(offer(10_000), terms());
    expect(three).toEqual({
      ...{ installments: 3, amountCents: 3_333, firstCents: 3_334, totalCents: 10_000, interestCents: 0 },
    });
  });

  it('are offered at the buyer’s cost only with a rate', () => {
    const options = installmentOptions(offer(10_000), buyerPays({ 2: 0, 6: 899, 13: 100 }));
    expect(options).toEqual([
      inFull(10_000),
      { installments: 2, amountCents: 5_000, firstCents: 5_000, totalCents: 10_000, interestCents: 0 },
      { installments: 6, amountCents: 1_816, firstCents: 1_819, totalCents: 10_899, interestCents: 899 },
    ]);
    expect(installmentOptions(offer(10_000), buyerPays({}))).toEqual([inFull(10_000)]);
  });

  it('are offered up to the most that can be charged at once, interest included', () => {
    const rates = { 2: 10_000 };
    const half = (MAX_CHARGE_CENTS - 1) / 2;
    expect(countsOf(installmentOptions(offer(half), buyerPays(rates)))).toEqual([1, 2]);
    expect(countsOf(installmentOptions(offer(half + 1), buyerPays(rates)))).toEqual([1]);
    expect(countsOf(installmentOptions(offer(MAX_CHARGE_CENTS), buyerPays({ 2: 0 })))).toEqual([1, 2]);
  });

  it('are compared with the minimum as the buyer pays them, with interest', () => {
    const rates = { 2: 0, 3: 1_000 };
    expect(countsOf(installmentOptions(offer(1_363), buyerPays(rates)))).toEqual([1, 2]);
    expect(countsOf(installmentOptions(offer(1_364), buyerPays(rates)))).toEqual([1, 2, 3]);
  });

  it('are not offered if the maximum is one', () => {
    expect(installmentOptions(offer(10_000), terms({ maxInstallments: 1 }))).toEqual([inFull(10_000)]);
  });

  it('are not offered in another currency, for a subscription or without a card', () => {
    expect(installmentOptions(offer(10_000, { currency: 'USD' }), terms())).toEqual([inFull(10_000)]);
    expect(
      installmentOptions(offer(null, { type: 'subscription', paymentMethods: ['card'] }), terms()),
    ).toEqual([]);
    expect(installmentOptions(offer(10_000, { paymentMethods: ['pix'] }), terms())).toEqual([]);
  });
});

describe('the terms of a link', () => {
  it('are the company’s, except those that the link sets itself', () => {
    const company = buyerPays({ 2: 100 }, { maxInstallments: 6 });
    expect(effectiveTerms(NO_OWN_INSTALLMENT_TERMS, company)).toEqual(company);
    const own = { ...NO_OWN_INSTALLMENT_TERMS, maxInstallments: 1, interestRates: [] };
    expect(effectiveTerms(own, company)).toEqual({ ...company, maxInstallments: 1, interestRates: [] });
  });

  it('need a rate if the buyer pays the interest, and one rate for each number of installments', () => {
    const errorsOf = (checked: InstallmentTerms) => {
      const errors = new FieldErrorCollector();
      addInstallmentTermErrors(checked, errors);
      return errors.errors;
    };
    expect(errorsOf(terms())).toEqual({});
    expect(errorsOf(buyerPays({ 2: 0 }))).toEqual({});
    expect(errorsOf(buyerPays({}))).toEqual({ interest_rates: ['is required when interest is buyer'] });
    const twice = [3, 2, 3].map((installments) => ({ installments, basisPoints: 0 }));
    expect(errorsOf(terms({ interestRates: twice }))).toEqual({
      'interest_rates.2.installments': ['is named twice'],
    });
  });
});
