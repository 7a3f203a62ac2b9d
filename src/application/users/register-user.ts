import { CNPJ_RULE, parseCnpj } from '../../domain/customers/document';
import { requireMatchingPasswords } from '../../domain/companies/confirmed-password';
import { WRONG_KEY_PAIR } from '../../domain/companies/api-key';
import { ALL_SCOPES } from '../../domain/companies/api-key-scope';
import type {
  AuthenticatedCompany,
  CompanyCredentials,
  CompanyDetails,
} from '../../domain/companies/company';
import { ownCompanyId } from '../../domain/shared/mode';
import { ApiError, unauthenticated, validationError } from '../../domain/shared/errors';
import type { User } from '../../domain/companies/user';
import type { Language } from '../../domain/users/language';
import type { SessionOrigin } from '../../domain/users/user-session';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { ApiKeyRepository } from '../../persistence/companies/api-key-repository';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { IssuedToken } from '../../security/access-tokens';
import { hashPassword } from '../../security/passwords';
import type { CompanyAuthenticator } from '../companies/authenticate-company';
import {
  provisionCompany,
  type ProvisionedCompany,
  type RegisterCompanyDeps,
} from '../companies/register-company';
import type { Sessions } from './sessions';

export interface RegisterUserDeps extends RegisterCompanyDeps {
  readonly db: Database;
  readonly companyApiKeys: ApiKeyRepository;
  readonly authenticator: Pick<CompanyAuthenticator, 'authenticate'>;
  readonly users: UserRepository;
  readonly sessions: Sessions;
}

export interface UserRegistration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly passwordConfirmation: string;
  readonly language: Language;
  /** Of the company to claim; null to create a company. */
  readonly keyPair: { readonly clientId: string; readonly apiKey: string } | null;
  readonly company: CompanyDetails & { readonly name: string };
  readonly origin: SessionOrigin;
}

export interface RegisteredUser {
  readonly session: IssuedToken;
  readonly user: User;
  readonly company: CompanyCredentials & { readonly name: string };
}

/**
 * Creates a user and signs the user in, in one transaction: the first user of the company whose key pair the registration
 * has, otherwise of a new company. Both return a new API key.
 *
 * @throws ApiError `unauthenticated` for a wrong key pair, `invalid_state` if the company has a user already,
 *   `validation_error` on `email` if it is taken, on `company_cnpj`
 */
export async function registerUser(
  deps: RegisterUserDeps,
  registration: UserRegistration,
): Promise<RegisteredUser> {
  const cnpj = readCnpj(registration.company);
  const password = requireMatchingPasswords(registration);
  const claimed = await companyToClaim(deps, registration);
  const passwordHash = await hashPassword(password);
  const company = { ...registration.company, cnpj };
  return deps.db.inTransaction((tx) => insert(deps, { ...registration, company }, claimed, passwordHash, tx));
}

/** @throws ApiError `validation_error` on `company_cnpj` */
function readCnpj({ cnpj }: CompanyDetails): string | undefined {
  if (cnpj === undefined) return undefined;
  const value = parseCnpj(cnpj);
  if (value === null) throw validationError({ company_cnpj: [CNPJ_RULE] });
  return value;
}

async function companyToClaim(
  { authenticator }: RegisterUserDeps,
  { keyPair }: UserRegistration,
): Promise<AuthenticatedCompany | null> {
  if (keyPair === null) return null;
  const holder = await authenticator.authenticate(keyPair.clientId, keyPair.apiKey);
  if (holder === null) throw unauthenticated(WRONG_KEY_PAIR);
  // A key of either mode proves who the company is; its row in the deployment's mode is claimed.
  return { ...holder.company, id: ownCompanyId(holder.company.id) };
}

async function insert(
  deps: RegisterUserDeps,
  { name, email, language, company, origin }: UserRegistration,
  claimed: AuthenticatedCompany | null,
  passwordHash: string,
  tx: Tx,
): Promise<RegisteredUser> {
  const provisioned =
    claimed === null
      ? await provisionCompany(deps, company, tx)
      : await claimCompany(deps, claimed, company, tx);
  const row = {
    companyId: provisioned.company.id,
    name: name.trim(),
    email,
    passwordHash,
    role: 'owner',
    language,
  } as const;
  const user = await deps.users.insert(tx, row);
  if (user === null) throw validationError({ email: ['has already been taken'] });
  const session = await deps.sessions.open(user, passwordHash, origin, tx);
  if (session === null) throw new Error('the new user got no session');
  return { session, user, company: { ...provisioned.credentials, name: company.name.trim() } };
}

/** The name of the key that a claim returns, beside the one that registered the company. */
const CLAIM_KEY_NAME = 'Registration of the first user';

async function claimCompany(
  { companies, companyApiKeys, apiKeys, mode }: RegisterUserDeps,
  company: AuthenticatedCompany,
  details: UserRegistration['company'],
  tx: Tx,
): Promise<ProvisionedCompany> {
  if (!(await companies.claim(tx, company.id, { ...details, name: details.name.trim() }))) {
    throw new ApiError('invalid_state', 'The company has a user already. Sign in, or reset the password.');
  }
  const apiKey = apiKeys.generate(mode);
  const key = {
    companyId: company.id,
    name: CLAIM_KEY_NAME,
    hash: apiKeys.hash(apiKey),
    pepperId: apiKeys.pepperId,
    scopes: ALL_SCOPES,
  };
  await companyApiKeys.insert(tx, key);
  return { company, credentials: { clientId: company.clientId, apiKey } };
}
