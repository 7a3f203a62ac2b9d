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
import { encryptionContext } from '../../security/encryption-context';
import { masterKeyIdOf, type EnvelopeCipher } from '../../security/envelope';

export interface RewrapDeps {
  readonly sealedValues: SealedValueRepository;
  readonly envelope: EnvelopeCipher;
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
      const replacement = await rewrapped(deps.envelope, column, row);
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

async function* batches(sealedValues: SealedValueRepository, column: SealedColumn) {
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
  envelope: EnvelopeCipher,
  column: SealedColumn,
  row: SealedRow,
): Promise<StoredSealedValue | null> {
  const { value } = row;
  if (value === null || sealedIn(value).every((sealed) => envelope.isCurrent(sealed))) return null;
  const context = contextOf(column, row);
  const again = async (sealed: SealedValue) => envelope.seal(await envelope.open(sealed, context), context);
  if ('protected' in value) return again(value);
  return Promise.all(value.map(async (item) => ({ ...item, sealed: await again(item.sealed) })));
}

/** The additional authenticated data of a row's value: see `encryptionContext`. */
function contextOf(column: SealedColumn, row: SealedRow): string {
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
    case 'buyer':
      return buyerRecordOf(row);
    default:
      return assertNever(column);
  }
}
