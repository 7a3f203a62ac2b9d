import fc from 'fast-check';
import { disputeEntry, type DisputeTotals } from '../../../../src/domain/ledger/dispute-entries';
import type { JournalEntry } from '../../../../src/domain/ledger/journal';
import { settlementEntry, type SettlementLine } from '../../../../src/domain/ledger/settlement-entries';
import type { SplitAllocation } from '../../../../src/domain/payments/split';

const AT = new Date('2026-03-02T14:05:00Z');
const OF = { currency: 'BRL', gateway: 'gateway_1', secretId: null, at: AT } as const;

const linesOf = (entry: JournalEntry | null) =>
  entry?.postings.map(({ account, amountCents, recipientId }) => [recipientId ?? account, amountCents]);

const borneBy = (recipientId: string, amountCents: number): SplitAllocation[] =>
  amountCents === 0
    ? []
    : [
        {
          recipientId,
          amountCents,
          type: 'flat',
          liable: true,
          chargeProcessingFee: false,
          chargeRemainderFee: false,
        },
      ];

function transition(
  before: DisputeTotals,
  after: DisputeTotals,
  borne: { before?: number; after?: number } = {},
) {
  return disputeEntry({
    ...OF,
    disputeId: 'd1',
    number: 2,
    before,
    after,
    borneBefore: borneBy('rp_a', borne.before ?? 0),
    borneAfter: borneBy('rp_a', borne.after ?? 0),
  });
}

const open = { heldCents: 1_000, lostCents: 0 };
const closed = { heldCents: 0, lostCents: 0 };
const lost = { heldCents: 0, lostCents: 1_000 };

describe('the entry of a dispute', () => {
  it('an opened dispute holds money that the gateway deducts on the next day', () => {
    const entry = transition(closed, open);
    expect(entry).toMatchObject({ kind: 'dispute_held', step: 'dispute/d1/2' });
    expect(linesOf(entry)).toEqual([
      ['dispute_hold', 1_000],
      ['gateway_receivable', -1_000],
    ]);
    expect(entry?.postings[1]?.expectedOn).toBe('2026-03-03');
  });

  it('a won dispute returns it, and a partly returned one loses the rest', () => {
    expect(linesOf(transition(open, closed))).toEqual([
      ['dispute_hold', -1_000],
      ['gateway_receivable', 1_000],
    ]);
    const partly = transition(open, { heldCents: 0, lostCents: 400 });
    expect(linesOf(partly)).toEqual([
      ['dispute_hold', -1_000],
      ['gateway_receivable', 600],
      ['dispute_losses', 400],
    ]);
  });

  it('liable recipients bear their part of a lost dispute, and get it back if it is reopened', () => {
    const entry = transition(open, lost, { after: 700 });
    expect(entry?.kind).toBe('dispute_lost');
    expect(linesOf(entry)).toEqual([
      ['dispute_hold', -1_000],
      ['rp_a', 700],
      ['dispute_losses', 300],
    ]);
    expect(linesOf(transition(lost, open, { before: 700 }))).toEqual([
      ['dispute_hold', 1_000],
      ['rp_a', -700],
      ['dispute_losses', -300],
    ]);
  });

  it('a transition that moves no money has no entry', () => {
    expect(transition(open, open)).toBeNull();
  });

  it('transitions in any order sum to zero, and the accounts have what is held and lost', () => {
    const amounts = fc.record({ heldCents: fc.nat(5_000), lostCents: fc.nat(5_000), borne: fc.nat(5_000) });
    fc.assert(
      fc.property(fc.array(amounts, { maxLength: 10 }), (states) => {
        const balances = new Map<string, number>();
        let before = { ...closed, borne: 0 };
        for (const after of states) {
          const entry = transition(before, after, { before: before.borne, after: after.borne });
          const postings = entry?.postings ?? [];
          expect(postings.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0);
          for (const { account, amountCents } of postings)
            balances.set(account, (balances.get(account) ?? 0) + amountCents);
          before = after;
        }
        const balance = (account: string): number => balances.get(account) ?? 0;
        expect(balance('dispute_hold')).toBe(before.heldCents);
        expect(balance('recipient_payable') + balance('dispute_losses')).toBe(before.lostCents);
        expect(balance('gateway_receivable') + before.heldCents + before.lostCents).toBe(0);
      }),
    );
  });
});

describe('the entry of a statement’s line', () => {
  const cases: Array<[SettlementLine, Array<[string, number]>]> = [
    [
      { kind: 'settled', amountCents: 1_000, feeCents: 35, expectedOn: '2026-04-01', installment: null },
      [
        ['gateway_balance', 965],
        ['fees', 35],
        ['gateway_receivable', -1_000],
      ],
    ],
    [
      { kind: 'settled', amountCents: -400, feeCents: 0, expectedOn: '2026-04-01', installment: null },
      [
        ['gateway_balance', -400],
        ['gateway_receivable', 400],
      ],
    ],
    [
      { kind: 'fee_charged', feeCents: 90 },
      [
        ['fees', 90],
        ['gateway_balance', -90],
      ],
    ],
    [
      { kind: 'paid_out', amountCents: 565 },
      [
        ['bank', 565],
        ['gateway_balance', -565],
      ],
    ],
  ];

  it.each(cases)('%j', (line, postings) => {
    const entry = settlementEntry(line, { ...OF, step: 'settlement/s1/1' });
    expect(entry).toMatchObject({ kind: line.kind, step: 'settlement/s1/1' });
    expect(linesOf(entry)).toEqual(postings);
  });

  it('a line without money has no entry', () => {
    expect(
      settlementEntry({ kind: 'fee_charged', feeCents: 0 }, { ...OF, step: 'settlement/s1/2' }),
    ).toBeNull();
  });
});
