import type { DeclineClass } from '../domain/payments/decline';
import type { PaymentMethod } from '../domain/payments/payment';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { BilletCodes } from './billet-codes';
import { Journal } from './journal';
import { Ledger, type LedgerEntry, type Posting } from './ledger';
import type { PendingResult } from './scripts';
import { REPLAY_WINDOW_MS } from '../gateways/simulator/profiles';
import {
  type ChargeStatus,
  type FollowUpBody,
  type MoneyOperation,
  type WireInitiation,
  type WireNetworkIds,
  type WireSplit,
  transactionOf,
} from '../gateways/simulator/wire';

/** What a vendor's protocol must give back of a request: stored with the operation, not read by the core. */
export type WireData = Readonly<Record<string, unknown>>;

/** One operation on a charge with its result. The result is immutable: a replayed key returns it again. */
export interface StoredOperation {
  readonly operation: MoneyOperation;
  readonly reference: string;
  readonly idempotencyKey: string | null;
  readonly status: ChargeStatus;
  readonly amount: number;
  /** Null for a decline without a code. */
  readonly code: string | null;
  readonly message: string;
  /** The Merchant Advice Code of a decline. */
  readonly adviceCode: string | null;
  /** The class of a decline without a code. */
  readonly declineClass: DeclineClass | null;
  readonly at: string;
  /** Missing if the protocol has none. */
  readonly wireData?: WireData;
  /** Set while a capture, cancel or refund is accepted and has no result. */
  readonly pending?: PendingFollowUp;
}

/** What a pending capture, cancel or refund needs until it gets its result. */
export interface PendingFollowUp {
  readonly body: FollowUpBody;
  /** Its result, as the script says. */
  readonly then: PendingResult;
  /** Null: when a control route says so. */
  readonly dueAt: string | null;
  readonly rules: FollowUpRules;
}

/** Where a vendor's protocol allows more than the simulator's own. */
export interface FollowUpRules {
  /** Whether splits may sum to less than the amount; the rest stays with the merchant. */
  readonly partialSplits?: boolean;
  /** Whether a declined charge may be canceled, so that nobody tries it again. */
  readonly cancelsDeclined?: boolean;
  /** Whether a recipient may receive splits before it is active. */
  readonly pendingRecipients?: boolean;
}

export interface PixCharge {
  readonly qrCode: string;
  /** The end-to-end id of the last payment; null before the first. */
  readonly endToEndId: string | null;
}

export interface BilletCharge extends BilletCodes {
  /** `YYYY-MM-DD`. */
  readonly dueAt: string;
  readonly instructions: string | null;
}

/** Evidence that a merchant submitted; only its hash is kept. */
export interface StoredEvidence {
  readonly kind: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A dispute of a charge. */
export interface StoredDispute {
  readonly id: string;
  readonly kind: 'chargeback' | 'retrieval' | 'med';
  readonly status: 'opened' | 'submitted' | 'won' | 'lost';
  readonly amount: number;
  readonly returned: number;
  readonly reasonCode: string | null;
  readonly evidenceDueAt: string | null;
  readonly changedAt: string;
  /** Missing before the merchant submitted any. */
  readonly evidence?: readonly StoredEvidence[];
}

/** The current state of a charge. It holds no customer or card data. */
export interface StoredCharge {
  readonly id: string;
  readonly gateway: GatewaySlug;
  /** `accountIdOf` the secret key that created it. */
  readonly account: string;
  readonly reference: string;
  readonly method: PaymentMethod;
  readonly currency: string;
  readonly amount: number;
  /** Missing if there is one. */
  readonly installments?: number;
  readonly status: ChargeStatus;
  readonly captured: number;
  readonly refunded: number;
  readonly paid: number;
  readonly code: string | null;
  readonly message: string;
  readonly adviceCode: string | null;
  readonly declineClass: DeclineClass | null;
  readonly initiation: WireInitiation;
  readonly authorizationCode: string | null;
  readonly networkIds: WireNetworkIds | null;
  readonly captureBefore: string | null;
  /** When a pix or billet expires. */
  readonly expiresAt: string | null;
  readonly pix: PixCharge | null;
  readonly billet: BilletCharge | null;
  /** The gateway's fee, deducted at the first capture, in cents. */
  readonly fee: number;
  readonly splits: readonly WireSplit[];
  readonly callbacks: boolean;
  readonly operations: readonly StoredOperation[];
  /** When it was committed last. Missing before its first commit. */
  readonly changedAt?: string;
  /** Missing without one. */
  readonly disputes?: readonly StoredDispute[];
}

export interface SimulatorCommit {
  readonly charge: StoredCharge;
  readonly operation: StoredOperation;
}

/** One line is one atomic commit: the charge's new state and its ledger entries. */
interface CommitLine {
  readonly charge: StoredCharge;
  readonly entries: readonly LedgerEntry[];
}

/** Stores charges, their ledger and their idempotency keys in a journal, with in-memory indexes. */
export class ChargeStore {
  readonly ledger = new Ledger();
  private readonly charges = new Map<string, StoredCharge>();
  private readonly byReference = new Map<string, Set<string>>();
  private readonly byTransaction = new Map<string, Set<string>>();
  private readonly byKey = new Map<string, SimulatorCommit>();
  private readonly newest = new Map<GatewaySlug, string>();
  private readonly byDispute = new Map<string, string>();
  private readonly pendingIds = new Set<string>();
  private readonly pendingOperationIds = new Set<string>();
  private readonly journal: Journal<CommitLine>;

  constructor(path: string) {
    this.journal = Journal.open<CommitLine>(path, (line) => this.apply(line));
  }

  /** Appends to the journal before the commit becomes visible. When this returns, the commit survives a crash of the process. */
  commit(charge: StoredCharge, reference: string, postings: readonly Posting[], now: Date): void {
    const source = { gateway: charge.gateway, reference, chargeId: charge.id };
    const entries = this.ledger.draft(source, postings, now);
    const line = { charge: { ...charge, changedAt: now.toISOString() }, entries };
    this.journal.append(line);
    this.apply(line);
  }

  find(gateway: GatewaySlug, id: string): StoredCharge | null {
    const charge = this.charges.get(id);
    return charge?.gateway === gateway ? charge : null;
  }

  /** The charge with this dispute; null if there is none. */
  withDispute(disputeId: string): StoredCharge | null {
    return this.charges.get(this.byDispute.get(disputeId) ?? '') ?? null;
  }

  /** Every charge with a dispute. */
  disputed(): StoredCharge[] {
    return this.load(new Set(this.byDispute.values()));
  }

  /** Charges whose own reference or an operation's reference matches, oldest first. */
  withReference(gateway: GatewaySlug, reference: string): StoredCharge[] {
    return this.load(this.byReference.get(`${gateway} ${reference}`));
  }

  ofTransaction(transactionId: string): StoredCharge[] {
    return this.load(this.byTransaction.get(transactionOf(transactionId))).filter((charge) =>
      charge.reference.startsWith(transactionId),
    );
  }

  /** The first operation with this key, within the gateway's replay window. */
  withKey(gateway: GatewaySlug, key: string, now: Date, windowMs = REPLAY_WINDOW_MS): SimulatorCommit | null {
    const committed = this.byKey.get(`${gateway} ${key}`);
    if (committed === undefined) return null;
    return now.getTime() - Date.parse(committed.operation.at) < windowMs ? committed : null;
  }

  newestChargeAt(gateway: GatewaySlug): StoredCharge | null {
    return this.charges.get(this.newest.get(gateway) ?? '') ?? null;
  }

  /** Every charge of a gateway, newest first. */
  newestFirst(gateway: GatewaySlug): StoredCharge[] {
    return [...this.charges.values()].filter((charge) => charge.gateway === gateway).toReversed();
  }

  /** Every charge that was changed at this time or later, in the order of their creation. */
  changedSince(since: Date): StoredCharge[] {
    return [...this.charges.values()].filter(({ changedAt = '' }) => Date.parse(changedAt) >= +since);
  }

  pending(): StoredCharge[] {
    return this.load(this.pendingIds);
  }

  /** Charges with a capture, cancel or refund that is accepted and has no result. */
  withPendingOperations(): StoredCharge[] {
    return this.load(this.pendingOperationIds);
  }

  close(): void {
    this.journal.close();
  }

  private apply({ charge, entries }: CommitLine): void {
    if (!this.charges.has(charge.id)) this.newest.set(charge.gateway, charge.id);
    this.charges.set(charge.id, charge);
    index(this.byReference, `${charge.gateway} ${charge.reference}`, charge.id);
    index(this.byTransaction, transactionOf(charge.reference), charge.id);
    for (const { id } of charge.disputes ?? []) this.byDispute.set(id, charge.id);
    const operation = charge.operations.at(-1);
    if (operation !== undefined) {
      index(this.byReference, `${charge.gateway} ${operation.reference}`, charge.id);
      const key = operation.idempotencyKey;
      if (key !== null) this.indexKey(`${charge.gateway} ${key}`, { charge, operation });
    }
    if (charge.status === 'pending') this.pendingIds.add(charge.id);
    else this.pendingIds.delete(charge.id);
    if (charge.operations.some(({ pending }) => pending !== undefined))
      this.pendingOperationIds.add(charge.id);
    else this.pendingOperationIds.delete(charge.id);
    this.ledger.add(entries);
  }

  /** A later result of a pending operation leaves the answer to its key as it was. */
  private indexKey(key: string, commit: SimulatorCommit): void {
    const { at, reference } = commit.operation;
    const first = this.byKey.get(key)?.operation;
    if (first?.at !== at || first.reference !== reference) this.byKey.set(key, commit);
  }

  private load(ids: Iterable<string> = []): StoredCharge[] {
    return [...ids].flatMap((id) => this.charges.get(id) ?? []);
  }
}

function index(map: Map<string, Set<string>>, key: string, id: string): void {
  const ids = map.get(key);
  if (ids === undefined) map.set(key, new Set([id]));
  else ids.add(id);
}
