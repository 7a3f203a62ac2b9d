import { nextBankDay } from '../../../../src/domain/payments/billet-calendar';
import { plusDays } from '../../../../src/domain/settlement/settlement-days';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import { BRASILIA, dateIn } from '../../../../src/domain/time/timezone';
import { providesStatements } from '../../../../src/gateways/simulator/profiles';
import { transactionOf } from '../../../../src/gateways/simulator/wire';
import type { WireStatementLine } from '../../../../src/gateways/simulator/wire-statement';
import { isPlatformSlug } from '../../../../src/gateways/registry';
import type { LedgerEntry } from '../../../../src/simulator/ledger';
import type { SimulatorControl } from '../../../support/stack/simulator';

/** An account of the merchant at a gateway, or the platform's. */
export interface StatementSource {
  readonly gateway: GatewaySlug;
  /** A payment whose first charge is in the account. */
  readonly sample: string;
  /** The account is shared by companies: each uploads its own lines. */
  readonly isShared: boolean;
  /** Whether this service fetches the statement; otherwise the company uploads it. */
  readonly isFetched: boolean;
}

/** A line of the merchant, with the statement that it is in. */
export interface SourcedLine {
  readonly source: StatementSource;
  readonly day: string;
  readonly line: WireStatementLine;
  /** Null for a payout. */
  readonly transactionId: string | null;
}

/** The first receivable of a card. */
const CARD_SETTLED_AFTER_DAYS = 30;

/** The accounts with money of the merchant. `ledger`: the gateways' entries of its payments. */
export function sourcesOf(ledger: readonly LedgerEntry[]): StatementSource[] {
  const first = new Map<string, LedgerEntry>();
  for (const entry of ledger) {
    const id = transactionOf(entry.reference);
    if (!first.has(id)) first.set(id, entry);
  }
  const gateways = [
    ...new Set(ledger.filter(({ kind }) => kind === 'captured').map(({ gateway }) => gateway)),
  ];
  return gateways.toSorted().flatMap((gateway) => {
    const isShared = isPlatformSlug(gateway);
    // Own gateways share a secret key, so a payment that was first tried at any of them tells the account.
    const sample = [...first].find(([, entry]) => isPlatformSlug(entry.gateway) === isShared);
    if (sample === undefined) return [];
    return [{ gateway, sample: sample[0], isShared, isFetched: !isShared && providesStatements(gateway) }];
  });
}

/** The days whose statements have lines about what happened on the days of these entries, the earliest first. */
export function daysOf(ledger: readonly LedgerEntry[]): string[] {
  const days = new Set<string>();
  for (const { kind, created_at: at } of ledger) {
    const day = dateIn(BRASILIA, new Date(at));
    if (kind === 'captured') days.add(day).add(nextBankDay(plusDays(day, CARD_SETTLED_AFTER_DAYS)));
    if (kind !== 'authorized' && kind !== 'pending') days.add(nextBankDay(plusDays(day, 1)));
  }
  return [...days].toSorted();
}

/** The lines of one statement that are the merchant's, with the planted errors. */
export async function readStatement(
  simulator: SimulatorControl,
  source: StatementSource,
  day: string,
  charges: ReadonlyMap<string, string>,
): Promise<SourcedLine[]> {
  const { data } = await simulator.statement(source.gateway, day, source.sample);
  const payments = new Set(charges.values());
  return data.flatMap((line) => {
    const named = line.reference === null ? null : transactionOf(line.reference);
    const ofCharge = line.charge_id === null ? undefined : charges.get(line.charge_id);
    const transactionId = ofCharge ?? (named !== null && payments.has(named) ? named : null);
    const isOthers = source.isShared && transactionId === null;
    return isOthers ? [] : [{ source, day, line, transactionId }];
  });
}

/** The payment of each charge at the gateways. */
export function chargesOf(ledger: readonly LedgerEntry[]): ReadonlyMap<string, string> {
  return new Map(ledger.map(({ charge_id: id, reference }) => [id, transactionOf(reference)]));
}
