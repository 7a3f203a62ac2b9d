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
  it('takes a complete individual and a complete corporation', () => {
    expect(errorsOf(individual())).toEqual({});
    expect(errorsOf(corporation())).toEqual({});
  });

  it.each(['birthdate', 'monthly_income', 'professional_occupation'] as const)(
    'requires %s of an individual, and not of a corporation',
    (field) => {
      expect(errorsOf(individual({ [field]: null }))).toEqual({
        [`information.${field}`]: ['is required for an individual'],
      });
      expect(errorsOf(corporation({ [field]: null }))).toEqual({});
    },
  );

  it.each(['annual_revenue', 'managing_partners', 'trading_name'] as const)(
    'requires %s of a corporation, and not of an individual',
    (field) => {
      expect(errorsOf(corporation({ [field]: null }))).toEqual({
        [`information.${field}`]: ['is required for a corporation'],
      });
      expect(errorsOf(individual({ [field]: null }))).toEqual({});
    },
  );

  it('counts an income of zero as given, a blank text and an empty list as missing', () => {
    expect(errorsOf(individual({ monthly_income: 0 }))).toEqual({});
    expect(errorsOf(individual({ professional_occupation: ' ' }))).toHaveProperty([
      'information.professional_occupation',
    ]);
    expect(errorsOf(corporation({ managing_partners: [] }))).toHaveProperty([
      'information.managing_partners',
    ]);
  });

  it('refuses a company type for an individual', () => {
    expect(errorsOf(individual({ company_type: 'LTDA' }))).toEqual({
      'information.company_type': ['is for a corporation only'],
    });
  });

  it('refuses a document of the other type, and one without shape', () => {
    expect(errorsOf(individual({ document: '11222333000181' }))).toEqual({
      'information.document': ['must be a CPF for an individual'],
    });
    expect(errorsOf(corporation({ document: '52998224725' }))).toEqual({
      'information.document': ['must be a CNPJ for a corporation'],
    });
    expect(errorsOf(individual({ document: 'xxxxxxxxxxx' }))).toHaveProperty(['information.document']);
  });

  it('names the partner and the field that is wrong', () => {
    const [partner] = corporation().managing_partners ?? [];
    const wrong = { ...partner, document: '1', birthdate: '2026-06-16' } as NonNullable<typeof partner>;
    const right = partner as NonNullable<typeof partner>;
    expect(Object.keys(errorsOf(corporation({ managing_partners: [right, wrong] })))).toEqual([
      'information.managing_partners.1.document',
      'information.managing_partners.1.birthdate',
    ]);
  });

  it('refuses the document of a bank account without shape', () => {
    const bank = { ...individual().default_bank_account, holder_document: '12345678901234567' };
    expect(errorsOf(individual({ default_bank_account: bank }))).toHaveProperty([
      'information.default_bank_account.holder_document',
    ]);
  });

  it('lets nobody be born tomorrow', () => {
    expect(errorsOf(individual({ birthdate: '2026-06-16' }))).toHaveProperty(['information.birthdate']);
    expect(errorsOf(individual({ birthdate: TODAY }))).toEqual({});
  });

  it('reads the same information the same, however it was written', () => {
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
  it('ends with the final states', () => {
    expect(recipientPauseMs('active', 0)).toBeNull();
    expect(recipientPauseMs('refused', 0)).toBeNull();
    expect((['requested', 'unknown'] as const).some(isAnswered)).toBe(false);
  });

  it('gives a gateway that cannot be reached a minute or two, then waits to be asked again', () => {
    const pauses = Array.from({ length: 25 }, (_, polls) => recipientPauseMs('requested', polls));
    const totalMs = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0);
    expect(pauses.at(-1)).toBeNull();
    expect(totalMs).toBeGreaterThan(60_000);
    expect(totalMs).toBeLessThan(120_000);
  });

  it('never stops asking about a request that may have arrived, at most every hour', () => {
    expect(recipientPauseMs('unknown', 0)).toBe(500);
    expect(recipientPauseMs('unknown', 100)).toBe(5_000);
    expect(recipientPauseMs('unknown', 10_000)).toBe(3_600_000);
  });

  it('asks ever less often about a recipient the gateway examines, and after 90 days waits to be asked again', () => {
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
