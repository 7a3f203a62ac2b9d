import { SECRET_KEY_FIELD, type CredentialField } from '../../domain/routing/credential-fields';

export const MERCHANT_ACCOUNT = 'merchant_account';
export const LIVE_PREFIX = 'live_url_prefix';
export const BALANCE_PLATFORM = 'balance_platform';
export const LEGAL_ENTITY_KEY = 'legal_entity_key';
export const BALANCE_PLATFORM_KEY = 'balance_platform_key';
/** It becomes a part of a host name. */
export const LIVE_PREFIX_SHAPE = /^[0-9a-zA-Z]{8,40}-[0-9a-zA-Z]{1,40}$/;

const API_KEY = {
  pattern: /^AQ[!-~]{18,510}$/,
  rule: 'must start with AQ and have 20 to 512 characters',
} as const;

/** https://docs.adyen.com/development-resources/api-credentials */
export const CREDENTIAL_FIELDS: readonly CredentialField[] = [
  {
    name: SECRET_KEY_FIELD,
    required: true,
    secret: true,
    description: 'Customer Area, Developers, API credentials, your web service user: the API key.',
    descriptionPt: 'Customer Area, Developers, API credentials, seu usuário de web service: a chave de API.',
    shape: API_KEY,
  },
  {
    name: MERCHANT_ACCOUNT,
    required: true,
    secret: false,
    description: 'Customer Area, the account switcher at the top: the name of the merchant account.',
    descriptionPt:
      'Customer Area, o seletor de contas no topo: o nome da conta do lojista (merchant account).',
    shape: {
      pattern: /^[A-Za-z0-9_.-]{2,80}$/,
      rule: 'must be 2 to 80 letters, digits, dots, hyphens or underscores',
    },
  },
  {
    name: LIVE_PREFIX,
    required: false,
    secret: false,
    description:
      'Live Customer Area, Developers, API URLs, Prefix. Every live charge needs it; the test environment has none.',
    descriptionPt:
      'Customer Area de produção, Developers, API URLs, Prefix. Toda cobrança em produção precisa dele; o ambiente de testes não tem.',
    shape: { pattern: LIVE_PREFIX_SHAPE, rule: 'must look like 1797a841fbb37ca7-CompanyName' },
  },
  {
    name: BALANCE_PLATFORM,
    required: false,
    secret: false,
    neededForRecipients: true,
    description:
      'Only for splits. Customer Area, Accounts, Balance platform: the name of the balance platform to which the merchant account and the recipients belong.',
    descriptionPt:
      'Só para split. Customer Area, Accounts, Balance platform: o nome da plataforma (balance platform) à qual a conta do lojista e os recebedores pertencem.',
    shape: {
      pattern: /^[A-Za-z0-9_.-]{2,80}$/,
      rule: 'must be 2 to 80 letters, digits, dots, hyphens or underscores',
    },
  },
];

/**
 * Two API credentials besides that of payments: https://docs.adyen.com/platforms/manage-access/api-credentials-web-service. Without
 * them the platform makes no recipients.
 */
export const PLATFORM_FIELDS: readonly CredentialField[] = [
  {
    name: LEGAL_ENTITY_KEY,
    required: false,
    secret: true,
    neededForRecipients: true,
    description:
      'Balance Platform Customer Area, Developers, API credentials, the user of the Legal Entity Management API: the API key.',
    descriptionPt:
      'Customer Area da plataforma (balance platform), Developers, API credentials, o usuário da Legal Entity Management API: a chave de API.',
    shape: API_KEY,
  },
  {
    name: BALANCE_PLATFORM_KEY,
    required: false,
    secret: true,
    neededForRecipients: true,
    description:
      'Balance Platform Customer Area, Developers, API credentials, the user of the Configuration API: the API key.',
    descriptionPt:
      'Customer Area da plataforma (balance platform), Developers, API credentials, o usuário da Configuration API: a chave de API.',
    shape: API_KEY,
  },
];
