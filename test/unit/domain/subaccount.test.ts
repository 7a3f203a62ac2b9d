import {
  checkSubAccountInformation,
  isAnswered,
  recipientPauseMs,
} from '../../../src/domain/routing/subaccount';
import type { SubAccountInformation } from '../../../src/domain/routing/subaccount-information';
import { corporation, individual } from './subaccount-fixtures';

const TODAY = '2026-06-15';

function errorsOf(information: SubAccountInformation) {
  const checked = checkSubAccountInformation(information, TODAY, 'information');
  return checked.valid ? {} : checked.errors;
}

describe('checkSubAccountInformation', () => {
  it('complete information of an individual or corporation is accepted', () => {
    expect(errorsOf(individual())).toEqual({});
    expect(errorsOf(corporation())).toEqual({});
  });

  it.each(['birthdate', 'monthly_income', 'professional_occupation'] as const)(
    '%s is required for an individual and not for a corporation',
    (field) => {
      expect(errorsOf(individual({ [field]: null }))).toEqual({
        [`information.${field}`]: ['is required for an individual'],
      });
      expect(errorsOf(corporation({ [field]: null }))).toEqual({});
    },
  );

  it.each(['annual_revenue', 'managing_partners', 'trading_name'] as const)(
    '%s is required for a corporation and not for an individual',
    (field) => {
      expect(errorsOf(corporation({ [field]: null }))).toEqual({
        [`information.${field}`]: ['is required for a corporation'],
      });
      expect(errorsOf(individual({ [field]: null }))).toEqual({});
    },
  );

  it('an income of zero is given, but a blank text and an empty list are missing', () => {
    expect(errorsOf(individual({ monthly_income: 0 }))).toEqual({});
    expect(errorsOf(individual({ professional_occupation: ' ' }))).toHaveProperty([
      'information.professional_occupation',
    ]);
    expect(errorsOf(corporation({ managing_partners: [] }))).toHaveProperty([
      'information.managing_partners',
    ]);
  });

  it('a company type is rejected for an individual', () => {
    expect(errorsOf(individual({ company_type: 'LTDA' }))).toEqual({
      'information.company_type': ['is for a corporation only'],
    });
  });

  it('a document of the other type, or with an invalid format, is rejected', () => {
    expect(errorsOf(individual({ document: '11222333000181' }))).toEqual({
      'information.document': ['must be a CPF for an individual'],
    });
    expect(errorsOf(corporation({ document: '52998224725' }))).toEqual({
      'information.document': ['must be a CNPJ for a corporation'],
    });
    expect(errorsOf(individual({ document: 'xxxxxxxxxxx' }))).toHaveProperty(['information.document']);
  });

  it('an error names the partner and the field', () => {
    const [partner] = corporation().managing_partners ?? [];
    const invalid = { ...partner, document: '1', birthdate: '2026-06-16' } as NonNullable<typeof partner>;
    const valid = partner as NonNullable<typeof partner>;
    expect(Object.keys(errorsOf(corporation({ managing_partners: [valid, invalid] })))).toEqual([
      'information.managing_partners.1.document',
      'information.managing_partners.1.birthdate',
    ]);
  });

  it('a CNPJ with letters is stored in upper case, without punctuation', () => {
    const information = corporation({ document: '12.abc.345/01de-35' });
    const checked = checkSubAccountInformation(information, TODAY, 'information');
    expect(checked).toMatchObject({ valid: true, value: { document: '12ABC34501DE35' } });
    expect(errorsOf(corporation({ document: '12.ABC.345/01DE-36' }))).toHaveProperty([
      'information.document',
    ]);
  });

  it('an invalid document of a bank account holder is rejected', () => {
    const bank = { ...individual().default_bank_account, holder_document: '12345678901234567' };
    expect(errorsOf(individual({ default_bank_account: bank }))).toHaveProperty([
      'information.default_bank_account.holder_document',
    ]);
  });

  it('a birthdate in the future is rejected', () => {
    expect(errorsOf(individual({ birthdate: '2026-06-16' }))).toHaveProperty(['information.birthdate']);
    expect(errorsOf(individual({ birthdate: TODAY }))).toEqual({});
  });

  it('equal information has the same canonical form', () => {
    const written = {
      unknown: 1,
      ...individual({ document: '52998224725', company_type: null, trading_name: null }),
    };
    const reversed = Object.fromEntries(Object.entries(written).reverse()) as SubAccountInformation;
    const canonical = (information: SubAccountInformation): string =>
      JSON.stringify(checkSubAccountInformation(information, TODAY, ''));
    expect(canonical(reversed)).toBe(canonical(individual()));
    expect(canonical(individual({ monthly_income: 1 }))).not.toBe(canonical(individual()));
  });
});

describe('recipientPauseMs', () => {
  it('a final status has no next step', () => {
    expect(recipientPauseMs('active', 0)).toBeNull();
    expect(recipientPauseMs('refused', 0)).toBeNull();
    expect((['requested', 'unknown'] as const).some(isAnswered)).toBe(false);
  });

  it('sending is retried for one to two minutes, until the recipient is requested again', () => {
    const pauses = Array.from({ length: 25 }, (_, pollCount) => recipientPauseMs('requested', pollCount));
    const totalMs = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0);
    expect(pauses.at(-1)).toBeNull();
    expect(totalMs).toBeGreaterThan(60_000);
    expect(totalMs).toBeLessThan(120_000);
  });

  it('a request that may have arrived is inquired without end, at least hourly', () => {
    expect(recipientPauseMs('unknown', 0)).toBe(500);
    expect(recipientPauseMs('unknown', 100)).toBe(5_000);
    expect(recipientPauseMs('unknown', 10_000)).toBe(3_600_000);
  });

  it('a pending recipient is polled with growing delays for 90 days, until it is requested again', () => {
    const pauses: number[] = [];
    for (let pause = recipientPauseMs('pending', 0); pause !== null;) {
      pauses.push(pause);
      pause = recipientPauseMs('pending', pauses.length);
    }
    const hours = (count: number): number =>
      pauses.slice(0, count).reduce((sum, pause) => sum + pause, 0) / 3_600_000;
    expect(pauses[0]).toBe(500);
    expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
    expect(hours(22)).toBeLessThan(4);
    expect(pauses[23]).toBe(3_600_000);
    expect(hours(190) / 24).toBeCloseTo(7, 0);
    expect(hours(pauses.length) / 24).toBeCloseTo(90, 0);
  });
});
