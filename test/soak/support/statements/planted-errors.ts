import fc from 'fast-check';
import type { SettlementItemKind } from '../../../../src/domain/settlement/settlement-item';
import { BRASILIA, dateIn } from '../../../../src/domain/time/timezone';
import {
  canHave,
  STATEMENT_ERRORS,
  type StatementError,
} from '../../../../src/simulator/statements/statement-errors';
import type { SimulatorControl } from '../../../support/stack/simulator';
import { waitFor } from '../../../support/stack/wait-for';
import { FOUND_AS } from '../../../workflows/settlement/settlement-scenario';
import type { Movements } from '../reconciliation';
import type { SoakMerchant } from '../soak-merchant';
import type { SourcedLine } from './statement-lines';

/** A difference that must be found, or was. */
export interface Difference {
  readonly gateway: string;
  readonly kind: SettlementItemKind;
  /** Null if no payment has the line. */
  readonly transactionId: string | null;
}

/** What the gateways do wrong, and what must be found of it. */
export interface PlantedErrors {
  readonly differences: readonly Difference[];
  /** Charges that a gateway made a second time by mistake. */
  readonly secondCharges: ReadonlySet<string>;
  /** Payments with an error, or perhaps with one. */
  readonly payments: ReadonlySet<string>;
  /** Those whose error may be missing, because the answer to the request for it was lost; null for a line of no payment. */
  readonly unclear: ReadonlySet<string | null>;
}

/** A payment whose money is all in one sale and what is settled of it, and at most one refund. */
interface SimplePayment {
  readonly transactionId: string;
  readonly lines: readonly SourcedLine[];
}

/** The sale and what is settled of it. */
const LINES_OF_SECOND_CHARGE = 2;
/** A line so near to midnight may be expected on another day. */
const MIDNIGHT_MS = 30 * 60_000;
const PLANTED_WITHIN_MS = 60_000;

/** Has the gateways make mistakes about random payments, one about each: `rounds` times every kind, and second charges. */
export async function plantErrors(
  { environment: { simulator } }: SoakMerchant,
  movements: Movements,
  lines: readonly SourcedLine[],
  { seed, rounds }: { readonly seed: number; readonly rounds: number },
): Promise<PlantedErrors> {
  const free = shuffled(simplePayments(movements, lines), seed);
  const differences: Difference[] = [];
  const secondCharges = new Set<string>();
  const payments = new Set<string>();
  const unclear = new Set<string | null>();
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of STATEMENT_ERRORS) {
      const found = take(free, (payment) => lineFor(payment, kind) !== null);
      const sourced = found && lineFor(found, kind);
      if (!found || !sourced) continue;
      const { transactionId } = found;
      payments.add(transactionId);
      const { gateway } = sourced.source;
      const request = { gateway, day: sourced.day, kind, transaction_id: transactionId };
      const isPlanted = await simulator.plantStatementErrors(request).then(
        () => true,
        () => false,
      );
      const named = kind === 'unknown' ? null : transactionId;
      if (!isPlanted) unclear.add(named);
      if (isPlanted) differences.push({ gateway, kind: FOUND_AS[kind], transactionId: named });
    }
    const charged = take(free, ({ lines: own }) => own.length === LINES_OF_SECOND_CHARGE);
    const gateway = charged?.lines[0]?.source.gateway;
    if (charged === undefined || gateway === undefined) continue;
    const { transactionId } = charged;
    payments.add(transactionId);
    secondCharges.add(await chargeAgain(simulator, transactionId));
    const difference = { gateway, kind: 'charged_twice', transactionId } as const;
    differences.push(...Array<Difference>(LINES_OF_SECOND_CHARGE).fill(difference));
  }
  return { differences, secondCharges, payments, unclear };
}

/** Those whose charge the records have as the gateway has it. */
function simplePayments({ rows }: Movements, lines: readonly SourcedLine[]): SimplePayment[] {
  const recorded = new Set(rows.map(({ gatewayTransactionId: id }) => id));
  const byPayment = new Map<string, SourcedLine[]>();
  for (const sourced of lines) {
    if (sourced.transactionId === null) continue;
    byPayment.set(sourced.transactionId, [...(byPayment.get(sourced.transactionId) ?? []), sourced]);
  }
  return [...byPayment]
    .map(([transactionId, own]) => ({ transactionId, lines: own }))
    .filter(({ lines: own }) => {
      const count = (kind: string): number => own.filter(({ line }) => line.kind === kind).length;
      const isSimple = count('sale') === 1 && count('settled') === 1 && own.length - count('refund') === 2;
      const isRecorded = own.every(({ line }) => recorded.has(line.charge_id) && isFarFromMidnight(line));
      return isSimple && count('refund') <= 1 && isRecorded;
    });
}

function isFarFromMidnight({ occurred_at: at }: SourcedLine['line']): boolean {
  if (at === null) return false;
  const dayAt = (ms: number): string => dateIn(BRASILIA, new Date(Date.parse(at) + ms));
  return dayAt(-MIDNIGHT_MS) === dayAt(MIDNIGHT_MS);
}

/** The line that can have the error. A company uploads only lines about its payments, so none there is unknown. */
function lineFor({ lines }: SimplePayment, kind: StatementError): SourcedLine | null {
  const found = lines.find(
    ({ line, source }) => canHave(kind, line) && !(kind === 'unknown' && source.isShared),
  );
  return found ?? null;
}

function take(
  free: SimplePayment[],
  isFitting: (payment: SimplePayment) => boolean,
): SimplePayment | undefined {
  const index = free.findIndex(isFitting);
  return index === -1 ? undefined : free.splice(index, 1)[0];
}

function shuffled(payments: readonly SimplePayment[], seed: number): SimplePayment[] {
  const length = { minLength: payments.length, maxLength: payments.length };
  const [drawn = []] = fc.sample(fc.shuffledSubarray([...payments], length), { seed, numRuns: 1 });
  return drawn;
}

/** Returns the id of the second charge. One whose answer was lost is in the ledger. */
function chargeAgain(simulator: SimulatorControl, transactionId: string): Promise<string> {
  let known: ReadonlySet<string> | null = null;
  const charged = async (): Promise<string | undefined> => {
    const { entries } = await simulator.ledger(transactionId);
    const charges = new Set(entries.map(({ charge_id: id }) => id));
    const before = (known ??= charges);
    const second = [...charges].find((id) => !before.has(id));
    return second ?? (await simulator.chargeAgain(transactionId)).charge_id;
  };
  return waitFor(charged, { what: 'the second charge', withinMs: PLANTED_WITHIN_MS, everyMs: 200 });
}
