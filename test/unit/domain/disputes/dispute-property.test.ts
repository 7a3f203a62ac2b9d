import fc from 'fast-check';
import { applyReport, type Dispute, type ReportedDispute } from '../../../../src/domain/disputes/dispute';
import {
  borneShares,
  disputedCents,
  heldCents,
  lossToSettleCents,
  lostCents,
} from '../../../../src/domain/disputes/dispute-money';
import { disputeEntry } from '../../../../src/domain/ledger/dispute-entries';
import type { JournalEntry, LedgerAccount } from '../../../../src/domain/ledger/journal';
import {
  totalsOf,
  transitionEntries,
  type LedgerAttempt,
} from '../../../../src/domain/ledger/payment-entries';
import { operationProblem } from '../../../../src/domain/payments/payment-operation';
import { applyFact, type PaymentState } from '../../../../src/domain/payments/payment-lifecycle';
import type { SplitAllocation } from '../../../../src/domain/payments/split';
import { processing } from '../payments/payment-states';
import { disputeReport } from './dispute-reports';

const NOW = new Date('2026-06-10T12:00:00Z');
const AMOUNT = 10_000;
const SHARE: SplitAllocation = {
  ...{ recipientId: 'rp_a', amountCents: 4_000, type: 'flat', liable: true },
  ...{ chargeProcessingFee: false, chargeRemainderFee: false },
};
const CHARGE: LedgerAttempt = {
  ...{ operation: 'authorize', purpose: 'charge', status: 'approved', amountCents: AMOUNT },
  ...{
    gatewaySlug: 'gateway_1',
    secretId: null,
    gatewayTransactionId: 'ch_1',
    splits: [SHARE],
    updatedAt: NOW,
  },
};

type Step =
  /** The charge's answer, which may come after its dispute. */
  | { readonly kind: 'charged'; readonly status: 'authorized' | 'approved' }
  | { readonly kind: 'capture' }
  /** Asked of the engine, which may refuse it. */
  | { readonly kind: 'request_refund'; readonly cents: number }
  /** The oldest refund in flight succeeds at the gateway. */
  | { readonly kind: 'finish_refund' }
  /** The callback with this number arrives, for the first time or again. */
  | { readonly kind: 'callback'; readonly number: number };

const report = fc.record({
  kind: fc.constantFrom('chargeback', 'med', 'retrieval'),
  status: fc.constantFrom('opened', 'submitted', 'won', 'lost', 'accepted'),
  amountCents: fc.integer({ min: 1, max: AMOUNT }),
  returnedCents: fc.integer({ min: 0, max: AMOUNT }),
});
const steps = fc.array(
  fc.oneof(
    fc.constantFrom('authorized', 'approved').map((status): Step => ({ kind: 'charged', status })),
    fc.constant<Step>({ kind: 'capture' }),
    fc.integer({ min: 1, max: AMOUNT }).map((cents): Step => ({ kind: 'request_refund', cents })),
    fc.constant<Step>({ kind: 'finish_refund' }),
    fc.nat({ max: 7 }).map((number): Step => ({ kind: 'callback', number })),
  ),
  { minLength: 1, maxLength: 40 },
);

/** A payment with its dispute and its ledger, moved as the activities move them. */
class World {
  payment: PaymentState = processing({ amountCents: AMOUNT, paymentMethod: 'card' });
  dispute: Dispute | null = null;
  readonly entries: JournalEntry[] = [];
  private refunds: number[] = [];
  private transitions = 0;
  private posted = { heldCents: 0, lostCents: 0 };
  private borne: readonly SplitAllocation[] = [];

  constructor(private readonly reports: readonly ReportedDispute[]) {}

  get disputedAmountCents(): number {
    return this.dispute === null ? 0 : disputedCents(this.dispute);
  }

  step(step: Step): void {
    if (step.kind === 'charged') this.move(step);
    else if (step.kind === 'capture') this.move({ kind: 'captured', amountCents: AMOUNT });
    else if (step.kind === 'request_refund') this.requestRefund(step.cents);
    else if (step.kind === 'finish_refund') this.finishRefund();
    else this.receive(this.reports[step.number % this.reports.length]);
  }

  private requestRefund(amountCents: number): void {
    const refundingCents = this.refunds.reduce((sum, cents) => sum + cents, 0);
    const disputed = this.disputedAmountCents;
    const open = { captureOrCancel: null, refundingCents, disputedCents: disputed, paidAt: NOW, now: NOW };
    if (operationProblem(this.payment, { operation: 'refund', amountCents }, open) === null)
      this.refunds.push(amountCents);
  }

  private finishRefund(): void {
    const amountCents = this.refunds.shift();
    if (amountCents !== undefined) this.move({ kind: 'refunded', amountCents });
  }

  private move(fact: Parameters<typeof applyFact>[1]): void {
    const applied = applyFact(this.payment, fact);
    if (!applied.applied) return;
    const before = totalsOf(this.payment);
    const payment = {
      ...this.payment,
      ...{ paymentMethod: 'card' as const, currency: 'BRL', installments: 1, paidAt: NOW, updatedAt: NOW },
      ...{ postedCapturedCents: before.capturedCents, postedRefundedCents: before.refundedCents },
      postedPaidCents: before.paidCents,
    } as const;
    this.entries.push(
      ...transitionEntries(payment, [CHARGE], { state: applied.state, refund: null, at: NOW }),
    );
    this.payment = applied.state;
  }

  private receive(news: ReportedDispute | undefined): void {
    const after = news === undefined ? null : applyReport(this.dispute, news);
    if (after === null) return;
    this.transitions += 1;
    const posted = { heldCents: heldCents(after), lostCents: lostCents(after) };
    const borne = borneShares([SHARE], posted.lostCents);
    const entry = disputeEntry({
      ...{
        disputeId: 'd1',
        number: this.transitions,
        currency: 'BRL',
        gateway: 'gateway_1',
        secretId: null,
        at: NOW,
      },
      ...{ before: this.posted, after: posted, borneBefore: this.borne, borneAfter: borne },
    });
    if (entry !== null) this.entries.push(entry);
    this.dispute = after;
    this.posted = posted;
    this.borne = borne;
  }

  balance(account: LedgerAccount): number {
    return this.entries
      .flatMap(({ postings }) => postings)
      .filter((posting) => posting.account === account)
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
  }
}

function check(world: World): void {
  const { payment, dispute } = world;
  for (const { postings } of world.entries)
    expect(postings.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0);
  const held = dispute === null ? 0 : heldCents(dispute);
  const lost = dispute === null ? 0 : lostCents(dispute);
  const { capturedAmountCents: captured, refundedAmountCents: refunded } = payment;
  // Money in = money out + held.
  expect(captured).toBe(world.balance('gateway_receivable') + refunded + lost + held);
  expect(world.balance('dispute_hold')).toBe(held);
  const borne = sumOf(borneShares([SHARE], lost));
  expect(world.balance('dispute_losses')).toBe(lost - borne);
  expect(new Set(world.entries.map(({ step }) => step)).size).toBe(world.entries.length);
}

function sumOf(shares: readonly SplitAllocation[]): number {
  return shares.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

describe('a payment with a dispute, in any order of late approval, capture, refunds and callbacks', () => {
  it('at each step, what came in is what went out, what is held and what the gateway owes', () => {
    fc.assert(
      fc.property(fc.array(report, { minLength: 1, maxLength: 8 }), steps, (reports, forced) => {
        const kind = reports[0]?.kind ?? 'chargeback';
        const world = new World(reports.map((each, second) => disputeReport({ ...each, kind, second })));
        for (const step of forced) {
          world.step(step);
          check(world);
        }
      }),
    );
  });

  it('all orders of the same callbacks end in the same dispute and the same balances', () => {
    const orders = fc.array(report, { minLength: 1, maxLength: 6 }).chain((reports) =>
      fc.tuple(
        fc.constant(reports),
        fc.shuffledSubarray(
          reports.flatMap((_, number) => [number, number]),
          { minLength: reports.length * 2, maxLength: reports.length * 2 },
        ),
      ),
    );
    fc.assert(
      fc.property(orders, ([reports, order]) => {
        const all = reports.map((each, second) => disputeReport({ ...each, second }));
        const [forced, sorted] = [new World(all), new World(all)];
        for (const number of order) forced.step({ kind: 'callback', number });
        for (const number of all.keys()) sorted.step({ kind: 'callback', number });
        for (const account of ['gateway_receivable', 'dispute_hold', 'dispute_losses'] as const)
          expect(forced.balance(account)).toBe(sorted.balance(account));
        expect(forced.disputedAmountCents).toBe(sorted.disputedAmountCents);
      }),
    );
  });

  it('without a refund in flight when the dispute arrives, nothing is paid twice', () => {
    fc.assert(
      fc.property(
        report,
        fc.array(fc.integer({ min: 1, max: AMOUNT }), { maxLength: 5 }),
        (opened, refunds) => {
          const world = new World([disputeReport(opened)]);
          world.step({ kind: 'charged', status: 'approved' });
          world.step({ kind: 'callback', number: 0 });
          for (const cents of refunds) {
            world.step({ kind: 'request_refund', cents });
            world.step({ kind: 'finish_refund' });
          }
          const { capturedAmountCents, refundedAmountCents } = world.payment;
          const { disputedAmountCents } = world;
          expect(lossToSettleCents({ capturedAmountCents, refundedAmountCents, disputedAmountCents })).toBe(
            0,
          );
        },
      ),
    );
  });
});
