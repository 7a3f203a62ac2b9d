import { changesBetween, SECRET_CHANGED, type AuditChanges } from '../../domain/companies/audit';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { WRONG_KEY_PAIR } from '../../domain/companies/api-key';
import { unauthenticated, unavailable, validationError } from '../../domain/shared/errors';
import {
  assignOrders,
  checkGatewayCredentials,
  type GatewayCredentialChange,
  type GatewayCredentialInput,
} from '../../domain/routing/gateway-credentials';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { newGatewayAccountId, type SubAccountId } from '../../domain/shared/ids';
import { FieldErrorCollector } from '../../domain/shared/validation';
import { dateIn } from '../../domain/time/timezone';
import type { ApiKeyRepository } from '../../persistence/companies/api-key-repository';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type {
  GatewayCredentialRepository,
  GatewayCredentialRow,
  GatewayCredentialValues,
} from '../../persistence/gateways/gateway-credential-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import {
  prepareGatewaySecret,
  type PreparedSecret,
  type PrepareSecretDeps,
  type RequestedSecret,
} from './prepare-gateway-secret';
import {
  assertOffered,
  requestRecipients,
  subAccountCredentialProblem,
  type RecipientRequest,
  type RequestRecipientsDeps,
} from './request-recipients';

export interface SaveGatewaysDeps extends RequestRecipientsDeps, PrepareSecretDeps {
  readonly syncTimeoutMs: number;
  readonly db: Database;
  readonly credentials: GatewayCredentialRepository;
  readonly companyApiKeys: Pick<ApiKeyRepository, 'isValid'>;
  readonly audit: AuditRepository;
}

/** Nothing is saved if the key is revoked, or the user's session ends, meanwhile. */
export type SaveGatewaysCaller =
  | { readonly kind: 'api_key'; readonly id: number | null }
  | { readonly kind: 'user'; readonly actor: AuditActor };

export interface SaveGatewaysCommand {
  readonly company: AuthenticatedCompany;
  readonly caller: SaveGatewaysCaller;
  readonly items: readonly GatewayCredentialInput[];
  readonly requestId: string;
  readonly receivedAt: Date;
}

export interface SavedGateway extends GatewayCredentialRow {
  /** Whether the gateway accepted the credentials. */
  readonly isVerified: boolean;
}

type StoredCredentials = ReadonlyMap<GatewaySlug, GatewayCredentialRow>;

/** How often the request is prepared again because another one changed the same credentials meanwhile. */
const MAX_TRIES = 3;

/**
 * Saves the credentials of one or more gateways, all or none: validates everything and asks the gateways about new secrets,
 * then creates recipients, then saves in one transaction. Gateways that are not in the request stay unchanged.
 *
 * @throws ApiError `validation_error`, `gateway_not_found`, `gateway_refused`, `unauthenticated`, `unavailable`: nothing was
 *   saved
 */
export async function saveGateways(
  deps: SaveGatewaysDeps,
  command: SaveGatewaysCommand,
): Promise<SavedGateway[]> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const saved = await saveOnce(deps, command);
    if (saved !== null) return saved;
  }
  throw unavailable('The credentials are being changed by another request. Nothing was saved.');
}

/** Null if another request changed the same credentials while the gateways were asked. */
async function saveOnce(
  deps: SaveGatewaysDeps,
  command: SaveGatewaysCommand,
): Promise<SavedGateway[] | null> {
  const { company, receivedAt } = command;
  const before = bySlug(await deps.credentials.list(company.id));
  const changes = validate(deps, command, before);
  const secrets = await prepareSecrets(deps, company, changes);
  const deadline = new Date(receivedAt.getTime() + deps.syncTimeoutMs);
  const subAccounts = await requestRecipients(deps, company, changes.flatMap(recipientRequest), deadline);
  return deps.db.inTransaction(async (tx) => {
    const current = bySlug(await deps.credentials.lockAll(tx, company.id));
    await assertKeyValid(deps, tx, command);
    if (changes.some(({ slug }) => isChanged(before.get(slug), current.get(slug)))) return null;
    const orders = assignOrders(
      new Map([...current.values()].map((row) => [row.gatewaySlug, row.order])),
      changes,
    );
    const saved: SavedGateway[] = [];
    for (const { slug, clientId } of changes) {
      const order = orders.get(slug);
      if (order === undefined) throw new Error(`${slug} has no order`);
      const values = { companyId: company.id, slug, clientId, order };
      const stored = current.get(slug) ?? null;
      const secret = secrets.get(slug);
      saved.push(
        secret === undefined
          ? await saveSubAccount(deps, tx, command, { ...values, stored }, subAccounts.get(slug) ?? null)
          : await saveSecret(deps, tx, command, { ...values, stored }, secret),
      );
    }
    return saved;
  });
}

/** After the lock: whatever revokes keys and credentials at once takes the same lock. @throws ApiError `unauthenticated` */
async function assertKeyValid(
  { companyApiKeys }: SaveGatewaysDeps,
  tx: Tx,
  { company, caller }: SaveGatewaysCommand,
): Promise<void> {
  if (caller.kind === 'user' || caller.id === null) return;
  if (await companyApiKeys.isValid(tx, company.id, caller.id)) return;
  throw unauthenticated(WRONG_KEY_PAIR);
}

function bySlug(rows: readonly GatewayCredentialRow[]): StoredCredentials {
  return new Map(rows.map((row) => [row.gatewaySlug, row]));
}

function isChanged(before: GatewayCredentialRow | undefined, now: GatewayCredentialRow | undefined): boolean {
  return before?.secretId !== now?.secretId || before?.clientId !== now?.clientId;
}

function validate(
  { registries }: SaveGatewaysDeps,
  { company, items, receivedAt }: SaveGatewaysCommand,
  stored: StoredCredentials,
): readonly GatewayCredentialChange[] {
  const registry = registries.of(company.id);
  const checked = checkGatewayCredentials(items, dateIn(company.timezone, receivedAt), (slug) => ({
    credentialFields: registry.credentialFields(slug),
    clientId: stored.get(slug)?.clientId ?? null,
  }));
  if (!checked.valid) throw validationError(checked.errors);
  const changes = checked.value;
  assertOffered(
    registry,
    changes.map(({ slug }) => slug),
  );
  const fieldErrors = new FieldErrorCollector();
  changes.forEach(({ slug, account }, index) => {
    const problem = account.kind === 'sub_account' ? subAccountCredentialProblem(registry, slug) : null;
    if (problem !== null) fieldErrors.add(`gateways.${index}.use_as_subaccount`, problem);
  });
  if (fieldErrors.hasErrors) throw validationError(fieldErrors.errors);
  return changes;
}

async function prepareSecrets(
  deps: SaveGatewaysDeps,
  { id: companyId }: AuthenticatedCompany,
  changes: readonly GatewayCredentialChange[],
): Promise<Map<GatewaySlug, PreparedSecret>> {
  const prepared = await Promise.all(
    changes.map(async ({ slug, clientId, account }, index) => {
      if (account.kind === 'sub_account') return null;
      const { values, sameAccount } = account;
      const path = `gateways.${index}`;
      const requested = { companyId, slug, clientId, values, sameAccount, path };
      return [slug, await prepareGatewaySecret(deps, requested)] as const;
    }),
  );
  return new Map(prepared.filter((entry) => entry !== null));
}

function recipientRequest({ slug, account }: GatewayCredentialChange): RecipientRequest[] {
  return account.kind === 'sub_account' ? [{ slug, information: account.information }] : [];
}

interface CredentialToSave extends Pick<
  GatewayCredentialValues,
  'companyId' | 'slug' | 'clientId' | 'order'
> {
  /** The company's present credential. */
  readonly stored: GatewayCredentialRow | null;
}

async function saveSecret(
  deps: SaveGatewaysDeps,
  tx: Tx,
  command: SaveGatewaysCommand,
  { stored, ...credential }: CredentialToSave,
  { requested, values, opensAccount, accountChange, isCurrent }: PreparedSecret,
): Promise<SavedGateway> {
  const { credentials, gatewaySecrets } = deps;
  if (opensAccount) await gatewaySecrets.insertAccount(tx, values.accountId, values);
  const { id: secretId, isVerified } = await gatewaySecrets.upsert(tx, values);
  const { accountId } = values;
  const row = await credentials.upsert(tx, { ...credential, accountId, secretId, subAccountId: null });
  if (accountChange !== null) await gatewaySecrets.changeAccounts(tx, values, accountChange);
  await gatewaySecrets.scheduleErasure(tx, values);
  const secretChanges = isCurrent ? {} : changedSecrets(requested);
  await writeAudit(deps, tx, command, { before: stored, after: row, secretChanges });
  return { ...row, isVerified };
}

/** A sub-account has no secret of its own: charges use the platform's key and name the recipient. */
async function saveSubAccount(
  deps: SaveGatewaysDeps,
  tx: Tx,
  command: SaveGatewaysCommand,
  { stored, ...credential }: CredentialToSave,
  subAccountId: SubAccountId | null,
): Promise<SavedGateway> {
  const { credentials, gatewaySecrets } = deps;
  const keepsAccount = stored !== null && stored.secretId === null;
  const accountId = keepsAccount ? stored.accountId : newGatewayAccountId();
  if (!keepsAccount) await gatewaySecrets.insertAccount(tx, accountId, credential);
  const row = await credentials.upsert(tx, { ...credential, accountId, secretId: null, subAccountId });
  await gatewaySecrets.scheduleErasure(tx, credential);
  const isCurrent = stored?.subAccountId === subAccountId;
  const secretChanges = isCurrent ? {} : { subaccount_information: SECRET_CHANGED };
  await writeAudit(deps, tx, command, { before: stored, after: row, secretChanges });
  return { ...row, isVerified: true };
}

/** The values that changed, without their content, and what the company said about them. */
function changedSecrets({ values, sameAccount }: RequestedSecret): AuditChanges {
  return {
    ...(values.secretKey !== '' && { secret_key: SECRET_CHANGED }),
    ...(Object.keys(values.credentials).length > 0 && { credentials: SECRET_CHANGED }),
    ...(sameAccount && { same_account: true }),
  };
}

interface CredentialAudit {
  readonly before: GatewayCredentialRow | null;
  readonly after: GatewayCredentialRow;
  readonly secretChanges: AuditChanges;
}

/** Writes no entry if nothing changed. */
async function writeAudit(
  { audit }: SaveGatewaysDeps,
  tx: Tx,
  { company, caller, requestId }: SaveGatewaysCommand,
  { before, after, secretChanges }: CredentialAudit,
): Promise<void> {
  const changes = { ...changesBetween(before === null ? {} : shown(before), shown(after)), ...secretChanges };
  if (Object.keys(changes).length === 0) return;
  const author = caller.kind === 'user' ? caller.actor : { companyId: company.id, userId: null, requestId };
  await audit.insert(tx, {
    ...author,
    action: before === null ? 'gateway.create' : 'gateway.update',
    subjectType: 'gateway',
    subjectId: after.gatewaySlug,
    changes,
  });
}

function shown({ order, clientId, subAccountId }: GatewayCredentialRow): AuditChanges {
  return { order, client_id: clientId, use_as_subaccount: subAccountId !== null };
}
