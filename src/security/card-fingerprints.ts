import { keyedHash } from './keyed-hash';
import { byEachKey, keyIdOf, type SecretKeys } from './secret-keys';

/** The storage that fingerprints need. `Tx` is the caller's transaction. */
export interface CardFingerprintStore<Tx> {
  hasAliases(tx?: Tx): Promise<boolean>;
  /** Those of the fingerprints that are aliases. */
  listAliases(
    companyId: number,
    fingerprints: readonly string[],
    tx?: Tx,
  ): Promise<ReadonlyArray<{ readonly fingerprint: string; readonly knownAs: string }>>;
  insertAliases(companyId: number, fingerprints: readonly string[], knownAs: string, tx?: Tx): Promise<void>;
  listKeys(
    keyIds: readonly string[],
    tx?: Tx,
  ): Promise<ReadonlyArray<{ readonly keyId: string; readonly firstUsedAt: Date }>>;
}

/** How long a process believes that the fingerprint key was never rotated. */
const ALIASES_SOUGHT_EVERY_MS = 60_000;

/**
 * Fingerprints of card numbers that stay the same when the key is rotated, because saved cards, subscriptions and declines are found by
 * them, and the numbers of most declined cards are not stored. A number keeps the fingerprint that the earliest of the accepted keys makes of
 * it; what later keys make is stored as its alias. Once the earliest key is removed, the number is found by its alias.
 */
export class CardFingerprints<Tx = unknown> {
  private aliases: { readonly found: boolean; readonly at: number } = { found: false, at: -Infinity };
  private earliest: Promise<number> | null = null;

  constructor(
    private readonly store: CardFingerprintStore<Tx>,
    private readonly keys: SecretKeys,
  ) {}

  /** Equal for equal numbers within a company, different between companies, irreversible. */
  async of(companyId: number, number: string, tx?: Tx): Promise<string> {
    const made = byEachKey(this.keys, (key) => fingerprint(key, companyId, number));
    if (made.length === 1 && !(await this.hasAliases(tx))) return made[0];
    const aliases = await this.store.listAliases(companyId, made, tx);
    const known = aliases[0]?.knownAs;
    if (made.length === 1) return known ?? made[0];
    const knownAs = known ?? made[await this.indexOfEarliest(tx)] ?? made[0];
    const stored = [knownAs, ...aliases.map((alias) => alias.fingerprint)];
    const others = made.filter((other) => !stored.includes(other));
    if (others.length > 0) await this.store.insertAliases(companyId, others, knownAs, tx);
    return knownAs;
  }

  /** For what only this process remembers: equal for equal numbers while it runs. */
  inThisProcess(companyId: number, number: string): string {
    return fingerprint(this.keys[0], companyId, number);
  }

  private async hasAliases(tx?: Tx): Promise<boolean> {
    const { found, at } = this.aliases;
    if (found || Date.now() - at < ALIASES_SOUGHT_EVERY_MS) return found;
    this.aliases = { found: await this.store.hasAliases(tx), at: Date.now() };
    return this.aliases.found;
  }

  private indexOfEarliest(tx?: Tx): Promise<number> {
    this.earliest ??= this.readEarliest(tx).catch((error: unknown) => {
      this.earliest = null;
      throw error;
    });
    return this.earliest;
  }

  /** The last one in the list unless it is known which one was used first, because a new key is added in front. */
  private async readEarliest(tx?: Tx): Promise<number> {
    const ids = this.keys.map(keyIdOf);
    const recorded = await this.store.listKeys(ids, tx);
    const first = Math.min(...recorded.map(({ firstUsedAt }) => +firstUsedAt));
    const earliest = recorded
      .filter(({ firstUsedAt }) => +firstUsedAt === first)
      .map(({ keyId }) => ids.indexOf(keyId));
    return earliest.length === 0 ? ids.length - 1 : Math.max(...earliest);
  }
}

function fingerprint(key: string, companyId: number, number: string): string {
  return keyedHash(key, `${companyId}:${number}`);
}
