import type { AuthenticatedCompany } from '../../domain/companies/company';
import { validationError } from '../../domain/shared/errors';
import {
  assignOrders,
  checkGatewayCredentials,
  type GatewayCredentialChange,
  type GatewayCredentialInput,
} from '../../domain/routing/gateway-credentials';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { SubAccountId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import { FieldErrorCollector } from '../../domain/shared/validation';
import { dateIn } from '../../domain/time/timezone';
import type { GatewayRegistry } from '../../gateways/registry';
import type {
  GatewayCredentialRepository,
  GatewayCredentialRow,
} from '../../persistence/gateways/gateway-credential-repository';
import type { Database } from '../../persistence/sql/transaction';
import { keyedHash } from '../../security/keyed-hash';
import { encryptionContext } from '../../security/encryption-context';
import {
  assertOffered,
  requestRecipients,
  subAccountProblem,
  type RecipientRequest,
  type RequestRecipientsDeps,
} from './request-recipients';

export interface SaveGatewaysDeps extends RequestRecipientsDeps {
  readonly syncTimeoutMs: number;
  readonly db: Database;
  readonly credentials: GatewayCredentialRepository;
  readonly registry: GatewayRegistry;
}

export interface SaveGatewaysCommand {
  readonly company: AuthenticatedCompany;
  readonly items: readonly GatewayCredentialInput[];
  readonly receivedAt: Date;
}

/**
 * Saves the credentials of one or more gateways, all or none: validates everything, then creates recipients, then saves in
 * one transaction. Gateways that are not in the request stay unchanged.
 */
export async function saveGateways(
  deps: SaveGatewaysDeps,
  { company, items, receivedAt }: SaveGatewaysCommand,
): Promise<GatewayCredentialRow[]> {
  const checked = checkGatewayCredentials(items, dateIn(company.timezone, receivedAt));
  if (!checked.valid) throw validationError(checked.errors);
  const changes = checked.value;
  assertSupported(deps.registry, changes);

  const deadline = new Date(receivedAt.getTime() + deps.syncTimeoutMs);
  const subAccounts = await requestRecipients(deps, company, changes.flatMap(recipientRequest), deadline);
  const accounts = await Promise.all(
    changes.map((change) => sealAccount(deps, company, change, subAccounts)),
  );

  return deps.db.inTransaction(async (tx) => {
    const current = new Map(
      (await deps.credentials.lockAll(tx, company.id)).map((row) => [row.gatewaySlug, row]),
    );
    const orders = assignOrders(
      new Map([...current.values()].map((row) => [row.gatewaySlug, row.order])),
      changes,
    );
    const saved: GatewayCredentialRow[] = [];
    for (const [index, { slug, clientId }] of changes.entries()) {
      const account = accounts[index];
      const order = orders.get(slug);
      if (account === undefined || order === undefined) throw new Error(`${slug} was not prepared`);
      const keptClientId = clientId === undefined ? (current.get(slug)?.clientId ?? null) : clientId;
      saved.push(
        await deps.credentials.upsert(tx, {
          companyId: company.id,
          slug,
          clientId: keptClientId,
          order,
          ...account,
        }),
      );
    }
    return saved;
  });
}

function assertSupported(registry: GatewayRegistry, changes: readonly GatewayCredentialChange[]): void {
  assertOffered(
    registry,
    changes.map(({ slug }) => slug),
  );
  const fieldErrors = new FieldErrorCollector();
  changes.forEach(({ slug, account }, index) => {
    const problem = account.kind === 'sub_account' ? subAccountProblem(registry, slug) : null;
    if (problem !== null) fieldErrors.add(`gateways.${index}.use_as_subaccount`, problem);
  });
  if (fieldErrors.hasErrors) throw validationError(fieldErrors.errors);
}

function recipientRequest({ slug, account }: GatewayCredentialChange): RecipientRequest[] {
  return account.kind === 'sub_account' ? [{ slug, information: account.information }] : [];
}

interface SealedAccount {
  readonly sealedSecret: SealedValue | null;
  readonly subAccountId: SubAccountId | null;
  readonly accountFingerprint: string;
}

/** A sub-account has no secret key of its own: charges use the platform's key and name the recipient. */
async function sealAccount(
  { envelope, fingerprintKey }: SaveGatewaysDeps,
  company: AuthenticatedCompany,
  { slug, account }: GatewayCredentialChange,
  subAccounts: ReadonlyMap<GatewaySlug, SubAccountId>,
): Promise<SealedAccount> {
  if (account.kind === 'sub_account') {
    const subAccountId = subAccounts.get(slug) ?? null;
    return { sealedSecret: null, subAccountId, accountFingerprint: `sub_account:${subAccountId}` };
  }
  const sealedSecret = await envelope.seal(
    account.secretKey,
    encryptionContext.gatewaySecret(company.id, slug),
  );
  const accountFingerprint = keyedHash(fingerprintKey, `${company.id}:${slug}:${account.secretKey}`);
  return { sealedSecret, subAccountId: null, accountFingerprint };
}
