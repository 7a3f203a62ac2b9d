import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { WireStatementLine } from '../../gateways/simulator/wire-statement';
import type { Accounts } from '../accounts';
import type { ChargeStore, StoredCharge } from '../charge-store';
import { Journal } from '../journal';
import { linesOfCharge, type Anticipation } from './charge-lines';

/** Which statement. */
export interface StatementOf {
  readonly gateway: GatewaySlug;
  /** `accountIdOf` a secret key; the statement has what keys of the same account have charged. Null: every account of the gateway. */
  readonly account: string | null;
  readonly day: string;
}

/** How a planted error changes the statements of its account: it takes a line out of its day, puts one in, or both. */
export interface StatementPatch {
  readonly gateway: GatewaySlug;
  readonly account: string;
  readonly day: string;
  /** The line that the error is in, or is because of. */
  readonly cause: string;
  readonly removes: string | null;
  readonly adds: readonly WireStatementLine[];
}

type BookLine =
  | ({ readonly kind: 'anticipated' } & Anticipation)
  | ({ readonly kind: 'error' } & StatementPatch);

interface BuiltStatement {
  readonly key: string;
  readonly lines: readonly WireStatementLine[];
}

/**
 * The settlement statements of every account: what its charges say, what was anticipated, and the errors that were planted. Built
 * from the ledger each time, so that they are a witness of their own.
 */
export class StatementBook {
  private readonly anticipations = new Map<string, Anticipation>();
  private readonly patches: StatementPatch[] = [];
  private readonly touched = new Set<string>();
  private readonly journal: Journal<BookLine>;
  /** The last one, because its pages are read one after the other. */
  private built: BuiltStatement = { key: '', lines: [] };
  private changes = 0;

  constructor(
    path: string,
    private readonly store: ChargeStore,
    private readonly accounts: Accounts,
  ) {
    this.journal = Journal.open<BookLine>(path, (line) => this.apply(line));
  }

  /** The lines of a day, with planted errors. A payout of what the balance has ends it. */
  linesOf(statement: StatementOf): readonly WireStatementLine[] {
    const { gateway, account, day } = statement;
    const key = JSON.stringify([gateway, account, day, this.store.ledger.size, this.changes]);
    if (this.built.key !== key) this.built = { key, lines: this.build(statement) };
    return this.built.lines;
  }

  /** Every installment of the charge that is not settled yet is settled on `day`. */
  anticipate(anticipation: Anticipation): void {
    this.write({ kind: 'anticipated', ...anticipation });
  }

  plant(patch: StatementPatch): void {
    this.write({ kind: 'error', ...patch });
  }

  /** Whether no error was planted because of the line. */
  isUntouched(gateway: GatewaySlug, day: string, lineId: string): boolean {
    return !this.touched.has(`${gateway} ${day} ${lineId}`);
  }

  close(): void {
    this.journal.close();
  }

  private write(line: BookLine): void {
    this.journal.append(line);
    this.apply(line);
  }

  private apply(line: BookLine): void {
    this.changes += 1;
    if (line.kind === 'anticipated') return void this.anticipations.set(line.chargeId, line);
    this.patches.push(line);
    for (const id of [line.cause, ...line.adds.map((added) => added.id)])
      this.touched.add(`${line.gateway} ${line.day} ${id}`);
  }

  private build(statement: StatementOf): WireStatementLine[] {
    const { gateway, day } = statement;
    const charges = this.store.newestFirst(gateway).filter((charge) => this.isIn(statement, charge.account));
    const netByDay = new Map<string, number>();
    const lines: WireStatementLine[] = [];
    for (const charge of charges.toReversed()) {
      for (const line of this.linesOfCharge(charge)) {
        if (line.day === day) lines.push(line);
        if (line.kind === 'sale' || line.day > day) continue;
        const key = `${line.currency} ${line.day}`;
        netByDay.set(key, (netByDay.get(key) ?? 0) + line.net);
      }
    }
    return [...this.patched(statement, lines), ...payouts(netByDay, day)];
  }

  private linesOfCharge(charge: StoredCharge): WireStatementLine[] {
    const entries = this.store.ledger
      .ofTransaction(charge.reference)
      .filter(({ charge_id: id }) => id === charge.id);
    return linesOfCharge(charge, entries, this.anticipations.get(charge.id) ?? null);
  }

  private patched(statement: StatementOf, lines: readonly WireStatementLine[]): WireStatementLine[] {
    const patches = this.patches.filter(
      ({ gateway, account, day }) =>
        gateway === statement.gateway && day === statement.day && this.isIn(statement, account),
    );
    const removed = new Set(patches.map(({ removes }) => removes));
    return [...lines.filter(({ id }) => !removed.has(id)), ...patches.flatMap(({ adds }) => adds)];
  }

  private isIn({ account }: StatementOf, owner: string): boolean {
    if (account === null || account === owner) return true;
    const { account: name } = this.accounts.settingsFor(account);
    return name !== undefined && name === this.accounts.settingsFor(owner).account;
  }
}

/** At the end of each day the account is paid what it has. What is missing is taken from later days. */
function payouts(netByDay: ReadonlyMap<string, number>, day: string): WireStatementLine[] {
  const balances = new Map<string, number>();
  const lines: WireStatementLine[] = [];
  for (const [key, net] of [...netByDay].toSorted(([a], [b]) => a.localeCompare(b))) {
    const [currency = '', onDay = ''] = key.split(' ');
    const balance = (balances.get(currency) ?? 0) + net;
    balances.set(currency, Math.min(balance, 0));
    if (onDay === day && balance > 0) lines.push(payoutLine(currency, day, balance));
  }
  return lines;
}

function payoutLine(currency: string, day: string, amount: number): WireStatementLine {
  const none = { reference: null, charge_id: null, dispute_id: null, installment: null, occurred_at: null };
  return {
    ...none,
    id: `payout-${day}-${currency}`,
    kind: 'payout',
    day,
    amount,
    fee: 0,
    net: -amount,
    currency,
  };
}
