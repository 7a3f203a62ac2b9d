import { canonicalDocument } from '../customers/document';

const ADDRESS = ['street', 'complementary', 'number', 'neighborhood', 'city', 'state', 'zip_code'] as const;
const BANK_ACCOUNT = [
  'holder_name',
  'holder_type',
  'holder_document',
  'bank_code',
  'branch_number',
  'account_number',
  'account_check_digit',
  'type',
] as const;
const PHONE = ['country', 'number', 'type'] as const;
const PARTNER_PHONE = ['ddd', 'number'] as const;
const PARTNER_ADDRESS = [
  'street',
  'complementary',
  'street_number',
  'neighborhood',
  'city',
  'state',
  'zip_code',
  'reference_point',
] as const;

type Texts<Fields extends readonly string[]> = { readonly [Field in Fields[number]]: string };

export type SubAccountBankAccount = Texts<typeof BANK_ACCOUNT> & {
  readonly holder_type: 'individual' | 'company';
  readonly type: 'checking' | 'savings';
};

export type ManagingPartner = {
  readonly name: string;
  readonly email: string;
  readonly document: string;
  readonly birthdate: string;
  readonly monthly_income: number;
  readonly professional_occupation: string;
  readonly self_declared_legal_representative: boolean;
  readonly address: Texts<typeof PARTNER_ADDRESS>;
  readonly phone_numbers: ReadonlyArray<Texts<typeof PARTNER_PHONE>>;
};

/**
 * `subaccount_information` with the field names of the API, because the gateway receives it as it is.
 * Amounts are cents, dates Y-m-d.
 */
export type SubAccountInformation = {
  readonly name: string;
  readonly trading_name?: string | null;
  readonly email: string;
  readonly document: string;
  readonly type: 'individual' | 'corporation';
  readonly annual_revenue?: number | null;
  readonly company_type?: string | null;
  readonly birthdate?: string | null;
  readonly monthly_income?: number | null;
  readonly professional_occupation?: string | null;
  readonly phone_numbers?: ReadonlyArray<Texts<typeof PHONE>> | null;
  readonly address: Texts<typeof ADDRESS>;
  readonly default_bank_account: SubAccountBankAccount;
  readonly managing_partners?: readonly ManagingPartner[] | null;
};

/**
 * The canonical form of the information: known fields only, in a fixed order, without nulls, documents without
 * punctuation.
 */
export function canonicalInformation(information: SubAccountInformation): SubAccountInformation {
  const { default_bank_account: bank, phone_numbers: phones, managing_partners: partners } = information;
  return {
    ...pick(information, [
      'name',
      'trading_name',
      'email',
      'type',
      'annual_revenue',
      'company_type',
      'birthdate',
    ]),
    ...pick(information, ['monthly_income', 'professional_occupation']),
    document: canonicalDocument(information.document),
    address: pick(information.address, ADDRESS),
    default_bank_account: {
      ...pick(bank, BANK_ACCOUNT),
      holder_document: canonicalDocument(bank.holder_document),
    },
    ...(phones && { phone_numbers: phones.map((phone) => pick(phone, PHONE)) }),
    ...(partners && { managing_partners: partners.map(canonicalPartner) }),
  };
}

function canonicalPartner(partner: ManagingPartner): ManagingPartner {
  return {
    ...pick(partner, ['name', 'email', 'birthdate', 'monthly_income', 'professional_occupation']),
    ...pick(partner, ['self_declared_legal_representative']),
    document: canonicalDocument(partner.document),
    address: pick(partner.address, PARTNER_ADDRESS),
    phone_numbers: partner.phone_numbers.map((phone) => pick(phone, PARTNER_PHONE)),
  };
}

/** The fields that have a value, in the given order. */
function pick<T extends object, Field extends keyof T>(value: T, fields: readonly Field[]): Pick<T, Field> {
  const entries = fields.map((field) => [field, value[field]] as const);
  return Object.fromEntries(
    entries.filter(([, content]) => content !== null && content !== undefined),
  ) as Pick<T, Field>;
}
