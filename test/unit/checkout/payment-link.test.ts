import {
  checkoutUrl,
  defaultMethods,
  immutableFieldErrors,
  installmentErrors,
  linkErrors,
  linkProblem,
  type LinkTerms,
  type PaymentLinkDetails,
} from '../../../src/domain/checkout/payment-link';
import { findOption, installmentOptions } from '../../../src/domain/checkout/installment-options';
import {
  DEFAULT_INSTALLMENT_TERMS,
  NO_OWN_INSTALLMENT_TERMS,
  type OwnInstallmentTerms,
} from '../../../src/domain/companies/installment-terms';
import { slugCandidates } from '../../../src/domain/checkout/slug';

const NOW = new Date('2026-03-10T12:00:00Z');
const LINK: LinkTerms = {
  deletedAt: null,
  isActive: true,
  expiresAt: null,
  maxUses: null,
  usesCount: 0,
  plan: null,
};
const DETAILS: PaymentLinkDetails = {
  ...{ type: 'one_time', amountCents: 4_990, currency: 'BRL', paymentMethods: ['card', 'pix'] },
  ...{ name: 'Mug', description: null, slug: 'mug', gatewayFirstTry: null, maxUses: null },
  ...{ expiresAt: null, successUrl: null, cancelUrl: null, metadata: null, isActive: true },
  installments: NO_OWN_INSTALLMENT_TERMS,
};

describe('a payment link', () => {
  it.each([
    [{}, null],
    [{ deletedAt: NOW, isActive: false }, 'link_deleted'],
    [{ isActive: false, expiresAt: NOW }, 'link_inactive'],
    [{ plan: { isActive: false } }, 'link_inactive'],
    [{ plan: { isActive: true } }, null],
    [{ expiresAt: NOW, maxUses: 0 }, 'link_expired'],
    [{ expiresAt: new Date(+NOW + 1) }, null],
    [{ maxUses: 2, usesCount: 2 }, 'link_exhausted'],
    [{ maxUses: 2, usesCount: 1 }, null],
    [{ usesCount: 1_000_000 }, null],
  ])('with %j has the problem: %s', (change, problem) => {
    expect(linkProblem({ ...LINK, ...change }, NOW)).toBe(problem);
  });

  it.each([
    ['one_time', 'BRL', ['card', 'pix']],
    ['one_time', 'USD', ['card']],
    ['subscription', 'BRL', ['card']],
  ] as const)('of type %s in %s takes %j unless it says otherwise', (type, currency, methods) => {
    expect(defaultMethods({ type, currency })).toEqual(methods);
  });

  it('takes pix for one-time purchases in BRL only', () => {
    const errorsOf = (change: Partial<PaymentLinkDetails>) => linkErrors({ ...DETAILS, ...change });
    expect(errorsOf({})).toBeNull();
    expect(errorsOf({ currency: 'USD' })).toEqual({
      payment_methods: ['must be card only unless currency is BRL'],
    });
    expect(errorsOf({ type: 'subscription' })).toEqual({
      payment_methods: ['must be card only for a subscription'],
    });
    expect(errorsOf({ type: 'subscription', currency: 'USD', paymentMethods: ['card'] })).toBeNull();
  });

  it('returns to addresses only', () => {
    const urls = { successUrl: 'https://shop.example/thanks', cancelUrl: 'nowhere' };
    expect(linkErrors({ ...DETAILS, ...urls })).toEqual({ cancel_url: ['must be an address'] });
    expect(linkErrors({ ...DETAILS, successUrl: '' })).toEqual({ success_url: ['must be an address'] });
  });

  it('never changes its type or currency', () => {
    expect(immutableFieldErrors(DETAILS, { ...DETAILS, name: 'Cup', amountCents: 1 })).toBeNull();
    expect(immutableFieldErrors(DETAILS, { ...DETAILS, type: 'subscription', currency: 'USD' })).toEqual({
      type: ['never changes: make another link'],
      currency: ['never changes: make another link'],
    });
  });

  it('has its company and its slug in its address', () => {
    expect(checkoutUrl({ companySlug: 'shop', slug: 'mug' }, 'https://pay.example')).toBe(
      'https://pay.example/checkout/shop/mug',
    );
  });
});

describe('the installments of an offer', () => {
  const errorsOf = (type: 'one_time' | 'subscription', currency: string, own: Partial<OwnInstallmentTerms>) =>
    installmentErrors({ type, currency }, { ...NO_OWN_INSTALLMENT_TERMS, ...own }, DEFAULT_INSTALLMENT_TERMS);

  it.each([
    ['one_time', 'BRL', 12, null],
    ['one_time', 'BRL', null, null],
    ['one_time', 'USD', 1, null],
    ['one_time', 'USD', null, null],
    ['one_time', 'USD', 2, 'must be 1 unless currency is BRL'],
    ['subscription', 'BRL', 1, null],
    ['subscription', 'BRL', 2, 'must be 1 for a subscription'],
    ['subscription', 'USD', 2, 'must be 1 for a subscription'],
  ] as const)('of a %s in %s are at most %s: %s', (type, currency, maxInstallments, problem) => {
    const expected = problem === null ? null : { max_installments: [problem] };
    expect(errorsOf(type, currency, { maxInstallments })).toEqual(expected);
  });

  it('need rates if the buyer pays the interest', () => {
    expect(errorsOf('one_time', 'BRL', { interest: 'buyer' })).toEqual({
      interest_rates: ['is required when interest is buyer'],
    });
  });

  it('are chosen among those offered', () => {
    const sale = { type: 'one_time', amountCents: 6_000, currency: 'BRL', paymentMethods: ['card'] } as const;
    const options = installmentOptions(sale, DEFAULT_INSTALLMENT_TERMS);
    expect(findOption(options, 3)).toMatchObject({ installments: 3, amountCents: 2_000 });
    expect(findOption(options, 13)).toBeNull();
    expect(installmentOptions({ ...sale, type: 'subscription' }, DEFAULT_INSTALLMENT_TERMS)).toEqual([]);
  });
});

describe('the slugs of a name', () => {
  const suffix = '0123456789abcdef';

  it.each([
    ['Caneca  Azul!', 'caneca-azul'],
    ['¡Promoção de Verão! 2026', 'promocao-de-verao-2026'],
    ['--a--', 'a'],
    [`${'x'.repeat(59)} y`, 'x'.repeat(59)],
    ['y'.repeat(80), 'y'.repeat(60)],
  ])('of “%s” are its letters and digits, then with more and more of the suffix', (name, slug) => {
    expect(slugCandidates(name, suffix)).toEqual([slug, `${slug}-01234567`, `${slug}-${suffix}`]);
  });

  it('of a name without letters or digits are the prefix and the suffix', () => {
    expect(slugCandidates('!!!', suffix, 'link-')).toEqual([`link-${suffix}`]);
    expect(slugCandidates('日本', suffix)).toEqual([suffix]);
  });
});
