import type { Buyer } from '../../domain/checkout/checkout-session';
import { identityOf } from '../../domain/customers/customer';
import type { SubAccountId, VaultCardId } from '../../domain/shared/ids';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { CredentialValues } from '../../domain/routing/credential-fields';
import { buyerRecordOf } from '../../persistence/checkout/sealed-buyers';
import type { CustomerRepository } from '../../persistence/customers/customer-repository';
import type { HashRepository } from '../../persistence/keys/hash-repository';
import type { SealedRow, SealedValueRepository } from '../../persistence/keys/sealed-value-repository';
import type { CardFingerprints } from '../../security/card-fingerprints';
import { encryptionContext } from '../../security/encryption-context';
import type { EnvelopeCipher } from '../../security/envelope';
import type { GatewaySecretCipher } from '../../security/gateway-secret-cipher';
import type { SecretKeys } from '../../security/secret-keys';
import { informationHashes } from '../companies/request-recipients';
import { batches } from './rewrap';

export interface RehashDeps {
  readonly sealedValues: SealedValueRepository;
  readonly envelope: EnvelopeCipher;
  readonly customers: CustomerRepository;
  readonly hashes: HashRepository;
  readonly secretCipher: GatewaySecretCipher;
  readonly cardFingerprints: CardFingerprints;
  readonly fingerprintKeys: SecretKeys;
  /** Called for each kind of record once it is done, with the number of records that it changed. */
  readonly report: (records: string, changed: number) => void;
}

const BATCH = 500;

/**
 * Recognizes by the current fingerprint key what older ones recognized: customers, checkout sessions, recipients and gateway secrets get
 * hashes of it, and stored cards an alias. While the service runs, and again after an interruption, as `rewrap`.
 */
export async function rehash(deps: RehashDeps): Promise<void> {
  deps.report('customers', await rehashCustomers(deps));
  deps.report('gateway secrets', await each(deps, 'gatewaySecret', rehashGatewaySecret));
  // The others are found by what an older key makes of them.
  if (deps.fingerprintKeys.length === 1) return;
  deps.report('checkout sessions', await each(deps, 'buyer', rehashBuyer));
  deps.report('recipients', await each(deps, 'subAccount', rehashSubAccount));
  deps.report('cards', await each(deps, 'cardNumber', aliasCard));
}

async function rehashCustomers({ customers, hashes }: RehashDeps): Promise<number> {
  let [changed, after] = [0, 0];
  for (;;) {
    const rows = await hashes.listCustomers(after, BATCH);
    const last = rows.at(-1);
    if (last === undefined) return changed;
    after = last.id;
    const stored = new Map(
      (await customers.listByIds(rows.map(({ id }) => id))).map((customer) => [customer.id, customer]),
    );
    for (const row of rows) {
      const { document = null, guestId = undefined, email = null } = stored.get(row.id) ?? {};
      // Erased meanwhile.
      if (email === null) continue;
      const [documentHash] = customers.documentHashes(row.companyId, identityOf({ document, guestId }));
      const [emailHash] = customers.emailHashes(row.companyId, email);
      if (await hashes.replaceCustomer(row, { documentHash, emailHash })) changed += 1;
    }
  }
}

type Rehash = (deps: RehashDeps, row: SealedRow, sealed: SealedValue) => Promise<boolean>;

async function each(
  deps: RehashDeps,
  column: 'buyer' | 'subAccount' | 'gatewaySecret' | 'cardNumber',
  rehashOne: Rehash,
): Promise<number> {
  let changed = 0;
  for await (const rows of batches(deps.sealedValues, column)) {
    for (const row of rows) {
      if (row.value === null || !('protected' in row.value)) continue;
      if (await rehashOne(deps, row, row.value)) changed += 1;
    }
  }
  return changed;
}

async function rehashBuyer(
  { envelope, customers, hashes }: RehashDeps,
  row: SealedRow,
  sealed: SealedValue,
): Promise<boolean> {
  const buyer = JSON.parse(await envelope.open(sealed, buyerRecordOf(row))) as Buyer;
  return hashes.replaceBuyer(Number(row.id), customers.documentHashes(row.companyId, identityOf(buyer)));
}

async function rehashSubAccount(
  { envelope, hashes, fingerprintKeys }: RehashDeps,
  { id, companyId }: SealedRow,
  sealed: SealedValue,
): Promise<boolean> {
  const text = await envelope.open(sealed, encryptionContext.subAccount(companyId, id as SubAccountId));
  return hashes.replaceSubAccount(id, informationHashes(fingerprintKeys, text));
}

async function rehashGatewaySecret(
  { secretCipher, hashes }: RehashDeps,
  row: SealedRow,
  sealedValues: SealedValue,
): Promise<boolean> {
  const { id, fingerprint, clientId } = row;
  const values: CredentialValues = await secretCipher.open(row, { fingerprint, sealedValues });
  const [current] = secretCipher.fingerprints(row, values, clientId);
  if (fingerprint === current) return false;
  const to = await secretCipher.seal(row, values, clientId, current);
  return hashes.replaceGatewaySecret(id, { fingerprint, sealedValues }, to);
}

/** Counts every card, because those that have an alias keep it. */
async function aliasCard(
  { envelope, cardFingerprints }: RehashDeps,
  { id, companyId }: SealedRow,
  sealed: SealedValue,
): Promise<boolean> {
  const number = await envelope.open(sealed, encryptionContext.cardNumber(companyId, id as VaultCardId));
  await cardFingerprints.of(companyId, number);
  return true;
}
