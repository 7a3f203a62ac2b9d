import type { CompanyCredentials } from '../domain/companies/company';
import type { SignedIn, User, UserCompany } from '../domain/companies/user';
import type { Mode } from '../domain/shared/mode';
import { permissionsOf } from '../domain/users/permission';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];
type TokenFields = Pick<Schemas['SignedInUser'], 'token' | 'token_type' | 'expires_at'>;

/** An access token and its expiry. */
interface Token {
  readonly token: string;
  readonly expiresAt: Date;
}

/** The only response with the new company's API key. */
export function presentRegisteredUser(
  registered: {
    readonly session: Token;
    readonly user: User;
    readonly company: CompanyCredentials & { readonly name: string };
  },
  warning: string,
): Schemas['RegisteredUser'] {
  const { name, clientId, apiKey } = registered.company;
  return {
    ...presentSession(registered.session),
    user: presentUser(registered.user),
    company: { name, client_id: clientId, api_key: apiKey, warning },
  };
}

export function presentSignedInUser(signedIn: {
  readonly session: Token;
  readonly user: User;
  readonly company: UserCompany;
}): Schemas['SignedInUser'] {
  return {
    ...presentSession(signedIn.session),
    user: presentUser(signedIn.user),
    company: presentUserCompany(signedIn.company),
  };
}

/** `modes`: those that the deployment offers. `isOperator`: whether the user operates the deployment. */
export function presentMe(
  { user, company }: SignedIn,
  { modes, isOperator }: { readonly modes: readonly Mode[]; readonly isOperator: boolean },
): Schemas['MeResponse'] {
  return {
    data: {
      ...presentUser(user),
      role: user.role,
      language: user.language,
      permissions: permissionsOf(user.role),
      email_verified: user.emailVerified,
      must_enrol_two_factor: user.mustEnrol,
      company: presentUserCompany(company),
      modes: [...modes],
      operator: isOperator,
    },
  };
}

function presentSession({ token, expiresAt }: Token): TokenFields {
  return { token, token_type: 'Bearer', expires_at: expiresAt.toISOString() };
}

function presentUser({ id, name, email, companyId }: User): Schemas['User'] {
  return { id, name, email, company_id: companyId };
}

function presentUserCompany({ name, clientId, mode }: UserCompany): Schemas['UserCompany'] {
  return { name, client_id: clientId, mode };
}
