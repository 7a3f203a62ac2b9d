import { validationError } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newGatewayAccountId, type GatewayAccountId } from '../../domain/shared/ids';
import { SECRET_KEY_FIELD, type CredentialValues } from '../../domain/routing/credential-fields';
import type { AccountChange } from '../../domain/routing/gateway-secrets';
import type { CredentialProbe, NewCredentials } from '../../gateways/credential-probe';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type {
  GatewaySecretRepository,
  GatewaySecretRow,
  GatewaySecretValues,
} from '../../persistence/gateways/gateway-secret-repository';
import type { GatewaySecretCipher } from '../../security/gateway-secret-cipher';

export interface PrepareSecretDeps {
  readonly gatewaySecrets: GatewaySecretRepository;
  readonly secretCipher: GatewaySecretCipher;
  readonly probe: CredentialProbe;
  readonly registries: GatewayRegistries;
  readonly now: () => Date;
}

/** Credentials of a company as a request names them. */
export interface RequestedSecret {
  readonly companyId: number;
  readonly slug: GatewaySlug;
  readonly clientId: string | null;
  readonly values: CredentialValues;
  readonly sameAccount: boolean;
  /** Path of the item in the request, for errors. */
  readonly path: string;
}

/** A secret with its account. Only the database is needed to save it. */
export interface PreparedSecret {
  readonly requested: RequestedSecret;
  readonly values: GatewaySecretValues;
  readonly opensAccount: boolean;
  /** What the gateway showed about an account that the secret had before. */
  readonly accountChange: AccountChange | null;
  /** Whether new charges are sent with this secret already. */
  readonly isCurrent: boolean;
}

/** The account of a secret. `verified`: the gateway answered, so it accepts the secret. */
interface AccountChoice extends Pick<GatewaySecretValues, 'accountId' | 'accountProof'> {
  readonly opensAccount?: boolean;
  readonly accountChange?: AccountChange | null;
  readonly verified?: boolean;
}

/**
 * Checks a secret with its gateway and finds its account. It is the account that the company uses now if the gateway shows one
 * of its charges, or if the company says so and the gateway does not contradict.
 *
 * @throws ApiError `validation_error` if the gateway refuses the secret, or does not show it the account's charges
 */
export async function prepareGatewaySecret(
  deps: PrepareSecretDeps,
  requested: RequestedSecret,
): Promise<PreparedSecret> {
  const { companyId, slug, clientId, values } = requested;
  const fingerprints = deps.secretCipher.fingerprints(requested, values, clientId);
  const known = await deps.gatewaySecrets.list(requested, { fingerprints });
  const credentials: NewCredentials = { companyId, slug, clientId, ...values };
  const check = await deps.probe.verify(credentials);
  if (check === 'refused') throw refusal(deps, requested);
  const existing = known.find(({ fingerprint }) => fingerprints.includes(fingerprint)) ?? null;
  const sealed = await deps.secretCipher.seal(requested, values, clientId, existing?.fingerprint);
  const current = known.find(({ isCurrent }) => isCurrent) ?? null;
  const choice = await chooseAccount(deps, requested, credentials, { existing, current });
  const isVerified = check === 'accepted' || choice.verified === true;
  const earlierVerification = existing?.isCurrent === true ? existing.verifiedAt : null;
  return {
    requested,
    values: {
      ...{ companyId, slug, clientId, ...sealed },
      accountId: choice.accountId,
      accountProof: choice.accountProof,
      verifiedAt: isVerified ? deps.now() : earlierVerification,
    },
    opensAccount: choice.opensAccount ?? false,
    accountChange: choice.accountChange ?? null,
    isCurrent: existing?.isCurrent ?? false,
  };
}

async function chooseAccount(
  deps: PrepareSecretDeps,
  requested: RequestedSecret,
  credentials: NewCredentials,
  { existing, current }: Record<'existing' | 'current', GatewaySecretRow | null>,
): Promise<AccountChoice> {
  const own = existing && { accountId: existing.accountId, accountProof: existing.accountProof };
  const isKnown = own?.accountId === current?.accountId && own?.accountProof !== 'claimed';
  if (current === null || isKnown) return own ?? newAccount();
  const charge = await deps.gatewaySecrets.findCharge(requested, current.accountId);
  const sees = charge && (await deps.probe.sees(credentials, { ...charge, sentAt: null }));
  const { sameAccount } = requested;
  if (sees === true) return seenAccount(current.accountId, existing);
  if (sees === false && sameAccount) throw otherAccount(requested);
  if (own !== null && own.accountProof !== 'claimed') return own;
  if (sameAccount) return { accountId: current.accountId, accountProof: 'claimed' };
  return own ?? newAccount();
}

function newAccount(): AccountChoice {
  return { accountId: newGatewayAccountId(), accountProof: 'origin', opensAccount: true };
}

/** The gateway showed a charge of this account. A secret that has an account of its own brings its other secrets along. */
function seenAccount(accountId: GatewayAccountId, existing: GatewaySecretRow | null): AccountChoice {
  const from = existing?.accountProof === 'claimed' ? undefined : existing?.accountId;
  const isOther = from !== undefined && from !== accountId;
  const accountChange = isOther ? ({ kind: 'merge', from, into: accountId } as const) : null;
  return { accountId, accountProof: 'seen', accountChange, verified: true };
}

function refusal({ registries }: PrepareSecretDeps, { companyId, slug, path }: RequestedSecret) {
  const hasSecretKey = registries
    .of(companyId)
    .credentialFields(slug)
    .some(({ name }) => name === SECRET_KEY_FIELD);
  const field = hasSecretKey ? SECRET_KEY_FIELD : 'credentials';
  return validationError({ [`${path}.${field}`]: [`${slug} rejected it`] });
}

function otherAccount({ slug, path }: RequestedSecret) {
  const problem = `is wrong: ${slug} does not show the charges of the present account with this secret`;
  return validationError({ [`${path}.same_account`]: [problem] });
}
