import {
  CLIENT_ID_FIELD,
  type CredentialField,
  type CredentialValues,
  SECRET_KEY_FIELD,
} from '../../domain/routing/credential-fields';
import type { ClientCertificate } from '../http';

const CERTIFICATE_FIELD = 'certificate';
const PRIVATE_KEY_FIELD = 'private_key';
const PIX_KEY_FIELD = 'pix_key';

/** CPF, CNPJ, phone, e-mail or random key, as the BR Code has them; `chave` has at most 77 characters. */
const PIX_KEY =
  /^(?:\d{11}|[0-9A-Z]{14}|\+55\d{10,11}|[^\s@]{1,64}@[^\s@]{1,70}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export const PIX_CREDENTIAL_FIELDS: readonly CredentialField[] = [
  {
    name: CLIENT_ID_FIELD,
    required: true,
    secret: false,
    description: 'Your bank’s page for developers, the application for the Pix API: the Client ID.',
    descriptionPt: 'Página do seu banco para desenvolvedores, a aplicação da API Pix: o Client ID.',
    shape: { pattern: /^[\x21-\x7e]{4,255}$/, rule: 'must be 4 to 255 characters without blanks' },
  },
  {
    name: SECRET_KEY_FIELD,
    required: true,
    secret: true,
    description: 'Your bank’s page for developers, the application for the Pix API: the Client Secret.',
    descriptionPt: 'Página do seu banco para desenvolvedores, a aplicação da API Pix: o Client Secret.',
    shape: { pattern: /^[\x21-\x7e]{8,1024}$/, rule: 'must be 8 to 1024 characters without blanks' },
  },
  {
    name: CERTIFICATE_FIELD,
    required: true,
    secret: false,
    multiline: true,
    description: 'The certificate that your bank issued for the application, as PEM text with its chain.',
    descriptionPt: 'O certificado que o banco emitiu para a aplicação, como texto PEM com a cadeia.',
    shape: {
      pattern: /^-----BEGIN CERTIFICATE-----[\s\S]{1,16000}-----END CERTIFICATE-----\s*$/,
      rule: 'must be a PEM text that begins with -----BEGIN CERTIFICATE-----',
    },
  },
  {
    name: PRIVATE_KEY_FIELD,
    required: true,
    secret: true,
    multiline: true,
    description: 'The private key of the certificate, as PEM text without a password.',
    descriptionPt: 'A chave privada do certificado, como texto PEM sem senha.',
    shape: {
      pattern:
        /^-----BEGIN (?:RSA |EC )?PRIVATE KEY-----[\s\S]{1,16000}-----END (?:RSA |EC )?PRIVATE KEY-----\s*$/,
      rule: 'must be a PEM text that begins with -----BEGIN PRIVATE KEY-----, and not encrypted',
    },
  },
  {
    name: PIX_KEY_FIELD,
    required: true,
    secret: false,
    description: 'The Pix key of your account at the bank that receives the payments.',
    descriptionPt: 'A chave Pix da sua conta no banco que recebe os pagamentos.',
    shape: {
      pattern: PIX_KEY,
      rule: 'must be a CPF, CNPJ, +55 phone, e-mail or random key, as your bank shows it',
    },
  },
];

export function certificateOf({ credentials }: CredentialValues): ClientCertificate {
  return {
    certificate: credentials[CERTIFICATE_FIELD] ?? '',
    privateKey: credentials[PRIVATE_KEY_FIELD] ?? '',
  };
}

/** Empty if there is none: the gateway refuses it then. */
export function pixKeyOf({ credentials }: Pick<CredentialValues, 'credentials'>): string {
  return credentials[PIX_KEY_FIELD] ?? '';
}
