import type {
  ManagingPartner,
  SubAccountInformation,
} from '../../../src/domain/routing/subaccount-information';

const address = {
  street: 'Rua das Flores',
  complementary: 'Casa 2',
  number: '120',
  neighborhood: 'Centro',
  city: 'São Paulo',
  state: 'SP',
  zip_code: '01310-100',
};

const bankAccount = {
  holder_name: 'Maria Souza',
  holder_type: 'individual',
  holder_document: '529.982.247-25',
  bank_code: '341',
  branch_number: '1234',
  account_number: '123456',
  account_check_digit: '7',
  type: 'checking',
} as const;

const partner: ManagingPartner = {
  name: 'Maria Souza',
  email: 'maria@example.com',
  document: '529.982.247-25',
  birthdate: '1990-04-12',
  monthly_income: 650_000,
  professional_occupation: 'Florist',
  self_declared_legal_representative: true,
  address: {
    street: 'Rua das Flores',
    complementary: '',
    street_number: '120',
    neighborhood: 'Centro',
    city: 'São Paulo',
    state: 'SP',
    zip_code: '01310100',
    reference_point: 'Beside the market',
  },
  phone_numbers: [{ ddd: '11', number: '912345678' }],
};

export function individual(change: Partial<SubAccountInformation> = {}): SubAccountInformation {
  return {
    name: 'Maria Souza',
    email: 'maria@example.com',
    document: '529.982.247-25',
    type: 'individual',
    birthdate: '1990-04-12',
    monthly_income: 650_000,
    professional_occupation: 'Florist',
    phone_numbers: [{ country: '11', number: '912345678', type: 'mobile' }],
    address,
    default_bank_account: bankAccount,
    ...change,
  };
}

export function corporation(change: Partial<SubAccountInformation> = {}): SubAccountInformation {
  return {
    name: 'Flores do Centro Ltda',
    trading_name: 'Flores do Centro',
    email: 'financeiro@example.com',
    document: '11.222.333/0001-81',
    type: 'corporation',
    annual_revenue: 120_000_000,
    company_type: 'LTDA',
    address,
    default_bank_account: { ...bankAccount, holder_type: 'company', holder_document: '11222333000181' },
    managing_partners: [partner],
    ...change,
  };
}
