import type { AttemptId, SubAccountId, VaultCardId } from '../../domain/shared/ids';
import { assertNever } from '../../domain/shared/assert-never';
import type { SealedValue } from '../../domain/shared/sealed-value';
import { buyerRecordOf } from '../../persistence/checkout/sealed-buyers';
import {
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedRow,
  type SealedValueRepository,
  type StoredSealedValue,
} from '../../persistence/keys/sealed-value-repository';
import type { CardVault } from '../../security/card-vault';
import { encryptionContext } from '../../security/encryption-context';
import { masterKeyIdOf, type EnvelopeCipher } from '../../security/envelope';

export interface RewrapDeps {
  readonly sealedValues: SealedValueRepository;
  readonly envelope: EnvelopeCipher;
  readonly vault: Pick<CardVault, 'read' | 'fingerprint'>;
  /** Called after each batch. */
  readonly report: (progress: RewrapProgress) => void;
}

export interface RewrapProgress {
  readonly column: SealedColumn;
  readonly read: number;
  readonly rewrapped: number;
  /** Changed by somebody else meanwhile; the next run looks at them again. */
  readonly changedMeanwhile: number;
}

/** Rows that one statement reads. */
const BATCH = 500;

export const sealedColumns = Object.keys(SEALED_COLUMNS) as SealedColumn[];

/**
 * Encrypts with the current master key every value that an older one encrypted, while the service runs: in small batches, each value
 * by an update that does nothing if somebody else changed it. Run it again after an interruption; what is done is skipped.
 *
 * @throws if a value does not open; nothing of it is changed
 */
export async function rewrap(deps: RewrapDeps): Promise<RewrapProgress[]> {
  const results: RewrapProgress[] = [];
  for (const column of sealedColumns) results.push(await rewrapColumn(deps, column));
  return results;
}

async function rewrapColumn(deps: RewrapDeps, column: SealedColumn): Promise<RewrapProgress> {
  let progress: RewrapProgress = { column, read: 0, rewrapped: 0, changedMeanwhile: 0 };
  for await (const rows of batches(deps.sealedValues, column)) {
    for (const row of rows) {
      progress = { ...progress, read: progress.read + 1 };
      const replacement = await rewrapped(deps, column, row);
      if (replacement === null) continue;
      const counted = (await deps.sealedValues.replace(column, row, replacement))
        ? 'rewrapped'
        : 'changedMeanwhile';
      progress = { ...progress, [counted]: progress[counted] + 1 };
    }
    deps.report(progress);
  }
  return progress;
}

/** How many stored values each master key encrypted. */
export async function countByMasterKey(sealedValues: SealedValueRepository): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const column of sealedColumns) {
    for await (const rows of batches(sealedValues, column)) {
      for (const keyId of rows.flatMap(({ value }) => sealedIn(value)).map(masterKeyIdOf))
        counts.set(keyId, (counts.get(keyId) ?? 0) + 1);
    }
  }
  return counts;
}

/** Every row of a table that has a value there, in short statements. */
export async function* batches(sealedValues: SealedValueRepository, column: SealedColumn) {
  let after: string | null = null;
  for (;;) {
    const rows: SealedRow[] = await sealedValues.list(column, after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
    yield rows.filter(({ value }) => value !== null);
  }
}

function sealedIn(value: StoredSealedValue | null): SealedValue[] {
  if (value === null) return [];
  return 'protected' in value ? [value] : value.map(({ sealed }) => sealed);
}

/** Null if the current key encrypted all of it. */
async function rewrapped(
  deps: Pick<RewrapDeps, 'envelope' | 'vault'>,
  column: SealedColumn,
  row: SealedRow,
): Promise<StoredSealedValue | null> {
  const { envelope } = deps;
  const { value } = row;
  if (value === null || sealedIn(value).every((sealed) => envelope.isCurrent(sealed))) return null;
  const context = column === 'gatewayCardToken' ? await tokenContextOf(deps, row) : contextOf(column, row);
  if (context === null) return null;
  const again = async (sealed: SealedValue) => envelope.seal(await envelope.open(sealed, context), context);
  if ('protected' in value) return again(value);
  return Promise.all(value.map(async (item) => ({ ...item, sealed: await again(item.sealed) })));
}

/** A token is bound to its card's number. Null if the card was deleted meanwhile, and the token with it. */
async function tokenContextOf(
  { vault }: Pick<RewrapDeps, 'vault'>,
  { companyId, slug, vaultCardId }: SealedRow,
): Promise<string | null> {
  const card = await vault.read(companyId, vaultCardId);
  if (card === null) return null;
  const fingerprint = await vault.fingerprint(companyId, card.number);
  return encryptionContext.gatewayCardToken(companyId, slug, fingerprint);
}

/** The additional authenticated data of a row's value: see `encryptionContext`. */
function contextOf(column: Exclude<SealedColumn, 'gatewayCardToken'>, row: SealedRow): string {
  const { companyId, id, slug } = row;
  switch (column) {
    case 'cardNumber':
      return encryptionContext.cardNumber(companyId, id as VaultCardId);
    case 'cardCvv':
      return encryptionContext.cardCvv(companyId, id as VaultCardId);
    case 'customerKey':
      return encryptionContext.customerKey(companyId, row.token);
    case 'gatewaySecret':
      return encryptionContext.gatewaySecret(companyId, slug, row.fingerprint);
    case 'webhookSecret':
      return encryptionContext.webhookSecret(companyId, slug);
    case 'bankAccount':
      return encryptionContext.bankAccount(companyId, id as AttemptId);
    case 'endpointSecret':
    case 'olderEndpointSecrets':
      return encryptionContext.endpointSecret(companyId, Number(id));
    case 'subAccount':
      return encryptionContext.subAccount(companyId, id as SubAccountId);
    case 'recipientSecret':
      return encryptionContext.recipientSecret(companyId, id as SubAccountId);
    case 'consentCode':
      return encryptionContext.consentCode(companyId, id as SubAccountId);
    case 'consentVerifier':
      return encryptionContext.consentVerifier(companyId, id as SubAccountId);
    case 'totpSecret':
      return encryptionContext.totpSecret(companyId, Number(id));
    case 'buyer':
      return buyerRecordOf(row);
    default:
      return assertNever(column);
  }
}
