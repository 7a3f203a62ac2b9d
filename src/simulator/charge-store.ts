import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { BilletCodes } from './billet-codes';
import { Journal } from './journal';
import { Ledger, type LedgerEntry, type Posting } from './ledger';
import { REPLAY_WINDOW_MS } from '../gateways/simulator/profiles';
import {
  type ChargeStatus,
  type MoneyOperation,
  type Recurring,
  type SplitPart,
  transactionOf,
} from '../gateways/simulator/wire';

/** One operation on a charge and its own result, which never changes: a replayed key gets it again. */
export interface ChargeOperation {
  readonly operation: MoneyOperation;
  readonly reference: string;
  readonly idempotencyKey: string | null;
  readonly status: ChargeStatus;
  readonly amount: number;
  readonly code: string;
  readonly message: string;
  /** The network's Merchant Advice Code of a refusal. */
  readonly adviceCode: string | null;
  readonly at: string;
}

export interface PixCharge {
  readonly qrCode: string;
  /** Of the last payment; null until there is one. */
  readonly endToEndId: string | null;
}

export interface BilletCharge extends BilletCodes {
  /** `YYYY-MM-DD`. */
  readonly dueAt: string;
  readonly instructions: string | null;
}

/** A charge as it stands. It holds nothing about the customer or the card. */
export interface Charge {
  readonly id: string;
  readonly gateway: GatewaySlug;
  /** Whose it is: `accountOf` the secret it was made with. */
  readonly account: string;
  readonly reference: string;
  readonly method: 'card' | 'pix' | 'billet';
  readonly currency: string;
  readonly amount: number;
  readonly status: ChargeStatus;
  readonly captured: number;
  readonly refunded: number;
  readonly paid: number;
  readonly code: string;
  readonly message: string;
  readonly adviceCode: string | null;
  /** Null for a charge that its customer made. */
  readonly recurring: Recurring | null;
  readonly authorizationCode: string | null;
  readonly networkTransactionId: string | null;
  readonly captureBefore: string | null;
  /** When a pix or billet can no longer be paid in time. */
  readonly expiresAt: string | null;
  readonly pix: PixCharge | null;
  readonly billet: BilletCharge | null;
  /** What the gateway keeps of the first money it takes, in cents. */
  readonly fee: number;
  readonly splits: readonly SplitPart[];
  readonly callbacks: boolean;
  readonly operations: readonly ChargeOperation[];
}

export interface Committed {
  readonly charge: Charge;
  readonly operation: ChargeOperation;
}

/** One line is one commit: the charge as it then stands and the entries that brought it there, all or nothing. */
interface CommitLine {
  readonly charge: Charge;
  readonly entries: readonly LedgerEntry[];
}

/** Charges, their ledger and their idempotency keys: what is on disk, and the indexes to find it. */
export class ChargeStore {
  readonly ledger = new Ledger();
  private readonly charges = new Map<string, Charge>();
  private readonly byReference = new Map<string, Set<string>>();
  private readonly byTransaction = new Map<string, Set<string>>();
  private readonly byKey = new Map<string, Committed>();
  private readonly newest = new Map<GatewaySlug, string>();
  private readonly pendingIds = new Set<string>();
  private readonly journal: Journal<CommitLine>;

  constructor(path: string) {
    this.journal = Journal.open<CommitLine>(path, (line) => this.apply(line));
  }

  /** Written, then visible: when this returns, the commit outlives the process. */
  commit(charge: Charge, reference: string, postings: readonly Posting[], now: Date): void {
    const source = { gateway: charge.gateway, reference, chargeId: charge.id };
    const line = { charge, entries: this.ledger.draft(source, postings, now) };
    this.journal.append(line);
    this.apply(line);
  }

  find(gateway: GatewaySlug, id: string): Charge | null {
    const charge = this.charges.get(id);
    return charge?.gateway === gateway ? charge : null;
  }

  /** Charges that carry a reference, their own or one of their operations', oldest first. */
  withReference(gateway: GatewaySlug, reference: string): Charge[] {
    return this.load(this.byReference.get(`${gateway} ${reference}`));
  }

  ofTransaction(transactionId: string): Charge[] {
    return this.load(this.byTransaction.get(transactionOf(transactionId))).filter((charge) =>
      charge.reference.startsWith(transactionId),
    );
  }

  /** What a key did the first time, while the gateway remembers it. */
  withKey(gateway: GatewaySlug, key: string, now: Date): Committed | null {
    const committed = this.byKey.get(`${gateway} ${key}`);
    if (committed === undefined) return null;
    return now.getTime() - Date.parse(committed.operation.at) < REPLAY_WINDOW_MS ? committed : null;
  }

  newestAt(gateway: GatewaySlug): Charge | null {
    return this.charges.get(this.newest.get(gateway) ?? '') ?? null;
  }

  pending(): Charge[] {
    return this.load(this.pendingIds);
  }

  close(): void {
    this.journal.close();
  }

  private apply({ charge, entries }: CommitLine): void {
    if (!this.charges.has(charge.id)) this.newest.set(charge.gateway, charge.id);
    this.charges.set(charge.id, charge);
    index(this.byReference, `${charge.gateway} ${charge.reference}`, charge.id);
    index(this.byTransaction, transactionOf(charge.reference), charge.id);
    const operation = charge.operations.at(-1);
    if (operation !== undefined) {
      index(this.byReference, `${charge.gateway} ${operation.reference}`, charge.id);
      const key = operation.idempotencyKey;
      if (key !== null) this.byKey.set(`${charge.gateway} ${key}`, { charge, operation });
    }
    if (charge.status === 'pending') this.pendingIds.add(charge.id);
    else this.pendingIds.delete(charge.id);
    this.ledger.add(entries);
  }

  private load(ids: Iterable<string> = []): Charge[] {
    return [...ids].flatMap((id) => this.charges.get(id) ?? []);
  }
}

function index(map: Map<string, Set<string>>, key: string, id: string): void {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, new Set([id]));
  else ids.add(id);
}
