import { CNPJ_RULE, parseCnpj } from '../../domain/customers/document';
import { requireMatchingPasswords } from '../../domain/companies/confirmed-password';
import type { CompanyCredentials, CompanyDetails } from '../../domain/companies/company';
import { validationError } from '../../domain/shared/errors';
import type { User } from '../../domain/companies/user';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { UserRepository } from '../../persistence/companies/user-repository';
import type { IssuedToken } from '../../security/access-tokens';
import { hashPassword } from '../../security/passwords';
import { provisionCompany, type RegisterCompanyDeps } from '../companies/register-company';
import type { Sessions } from './sessions';

export interface RegisterUserDeps extends RegisterCompanyDeps {
  readonly db: Database;
  readonly users: UserRepository;
  readonly sessions: Sessions;
}

export interface UserRegistration {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  readonly passwordConfirmation: string;
  readonly company: CompanyDetails & { readonly name: string };
}

export interface RegisteredUser {
  readonly session: IssuedToken;
  readonly user: User;
  readonly company: CompanyCredentials & { readonly name: string };
}

/**
 * Creates a user with a new company and signs the user in, in one transaction.
 *
 * @throws ApiError `validation_error` on `email` if it is taken, on `company_cnpj`
 */
export async function registerUser(
  deps: RegisterUserDeps,
  registration: UserRegistration,
): Promise<RegisteredUser> {
  const cnpj = readCnpj(registration.company);
  const passwordHash = await hashPassword(requireMatchingPasswords(registration));
  const company = { ...registration.company, cnpj };
  return deps.db.inTransaction((tx) => insert(deps, { ...registration, company }, passwordHash, tx));
}

/** @throws ApiError `validation_error` on `company_cnpj` */
function readCnpj({ cnpj }: CompanyDetails): string | undefined {
  if (cnpj === undefined) return undefined;
  const value = parseCnpj(cnpj);
  if (value === null) throw validationError({ company_cnpj: [CNPJ_RULE] });
  return value;
}

async function insert(
  deps: RegisterUserDeps,
  { name, email, company }: UserRegistration,
  passwordHash: string,
  tx: Tx,
): Promise<RegisteredUser> {
  const provisioned = await provisionCompany(deps, company, tx);
  const row = { companyId: provisioned.company.id, name: name.trim(), email, passwordHash };
  const user = await deps.users.insert(tx, row);
  if (user === null) throw validationError({ email: ['has already been taken'] });
  const session = await deps.sessions.open(user, passwordHash, tx);
  if (session === null) throw new Error('the new user got no session');
  return { session, user, company: { ...provisioned.credentials, name: company.name.trim() } };
}
