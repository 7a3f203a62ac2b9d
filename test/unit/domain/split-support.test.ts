import { gatewaySplits } from '../../../activities/payments/charge-splits';
import { splitAmount, wholeTo, type Split } from '../../../src/domain/payments/split';
import {
  describeSplitLimit,
  operationSplitsProblem,
  splitLimit,
  type SplitLimit,
  type SplitSupport,
} from '../../../src/domain/routing/split-support';

const EXACT: SplitSupport = { splits: 'exact', maxRecipients: 3, splitCosts: 'flagged' };
const NET: SplitSupport = { splits: 'net', maxRecipients: 3, splitCosts: 'recipients' };
const SELLER_PAYS: SplitSupport = { splits: 'fee', maxRecipients: 1, splitCosts: 'recipients' };
const PLATFORM_PAYS: SplitSupport = { splits: 'fee', maxRecipients: 1, splitCosts: 'platform' };
const NONE: SplitSupport = { splits: 'none', maxRecipients: 0, splitCosts: 'platform' };

const NO_FLAG = { liable: false, chargeProcessingFee: false, chargeRemainderFee: false };
const percent = (amount: number, flags: Partial<Split> = {}): Split => ({
  ...{ recipientId: `re_${amount}`, type: 'percentage', amount },
  ...{ ...NO_FLAG, ...flags },
});
const flat = (amount: number, flags: Partial<Split> = {}): Split => ({
  ...percent(amount, flags),
  type: 'flat',
});
const WHOLE = [percent(100)];
const HALVES = [percent(50), percent(50)];

describe('a gateway fulfils splits only as the API promises them', () => {
  it.each<[string, SplitSupport, readonly Split[], SplitLimit | null]>([
    ['none at all', NONE, WHOLE, 'splits'],
    ['nothing to split', NONE, [], null],
    ['exact cents', EXACT, [flat(7_000, { liable: true }), flat(3_000, { chargeProcessingFee: true })], null],
    ['as many as it can', EXACT, [percent(50), percent(30), percent(20)], null],
    ['more than it can', EXACT, [percent(50), percent(20), percent(20), percent(10)], 'split_count'],
    ['percentages of the net amount', NET, HALVES, null],
    [
      'exact cents of the net amount, which nobody knows before',
      NET,
      [flat(7_000), flat(3_000)],
      'split_flat',
    ],
    ['an only recipient by cents, who gets all of the net amount', NET, [flat(10_000)], null],
    ['more of the net amount than it can', NET, [...HALVES, ...HALVES], 'split_count'],
    [
      'the cents of rounding, of the net amount',
      NET,
      [percent(50, { chargeRemainderFee: true }), percent(50)],
      'split_remainder',
    ],
    ['a sub-account’s own charge, at a net gateway', NET, [wholeTo('re_1')], null],
    [
      'one recipient who pays the fee, of two',
      NET,
      [percent(50, { chargeProcessingFee: true }), percent(50)],
      'split_costs',
    ],
    ['one liable recipient of two', NET, [percent(50), percent(50, { liable: true })], 'split_costs'],
    [
      'two who both bear all costs',
      NET,
      HALVES.map((split) => ({ ...split, liable: true, chargeProcessingFee: true })),
      null,
    ],
    ['one recipient, at a gateway with the fee model', SELLER_PAYS, [flat(10_000)], null],
    ['a sub-account’s own charge, where the seller pays', SELLER_PAYS, [wholeTo('re_1')], null],
    ['two recipients, at a gateway with the fee model', SELLER_PAYS, HALVES, 'split_count'],
    [
      'two recipients, whatever a fee gateway says',
      { ...SELLER_PAYS, maxRecipients: 9 },
      HALVES,
      'split_count',
    ],
    ['one recipient without costs, where the platform pays', PLATFORM_PAYS, WHOLE, null],
    [
      'a recipient that pays the fee, where the platform pays',
      PLATFORM_PAYS,
      [percent(100, { chargeProcessingFee: true })],
      'split_costs',
    ],
    [
      'a liable recipient, where the platform pays',
      PLATFORM_PAYS,
      [percent(100, { liable: true })],
      'split_costs',
    ],
  ])('%s', (_what, support, splits, limit) => {
    expect(splitLimit(support, splits)).toBe(limit);
  });

  it.each<[SplitLimit, SplitSupport, string]>([
    ['splits', NONE, 'does not support splits'],
    ['split_count', PLATFORM_PAYS, 'splits a payment between one recipient at most'],
    ['split_count', EXACT, 'splits a payment between 3 recipients at most'],
    ['split_flat', NET, 'splits what is left after its fee, by percentages only'],
    ['split_remainder', NET, 'rounds by its own rule and does not support charge_remainder_fee'],
    [
      'split_costs',
      PLATFORM_PAYS,
      'charges its fees and chargebacks to the platform, so no split can be liable or pay the fees',
    ],
    [
      'split_costs',
      NET,
      'charges its fees and chargebacks to all recipients, so liable and charge_processing_fee must be the same in all splits',
    ],
  ])('and %s is explained', (limit, support, text) => {
    expect(describeSplitLimit(limit, support)).toBe(text);
  });
});

describe('the splits that a capture or a refund names', () => {
  it('follow the rules of a charge, and a refund needs a gateway that divides exact cents', () => {
    expect(operationSplitsProblem('capture', NET, HALVES)).toBeNull();
    expect(operationSplitsProblem('capture', NET, [flat(7_000), flat(3_000)])).toContain(
      'by percentages only',
    );
    expect(operationSplitsProblem('refund', EXACT, [flat(10_000)])).toBeNull();
    for (const support of [NET, SELLER_PAYS, PLATFORM_PAYS])
      expect(operationSplitsProblem('refund', support, WHOLE)).toContain('by their shares');
    expect(operationSplitsProblem('refund', NET, [])).toBeNull();
  });
});

describe('a gateway that divides what is left after its fee', () => {
  it('gets the percentages of the request, and the whole for a sub-account', () => {
    const splits = [percent(67), percent(33)];
    const sent = gatewaySplits({ splits }, splitAmount(splits, 101));
    expect(sent.map(({ amountCents, percent: share }) => [amountCents, share])).toEqual([
      [68, 67],
      [33, 33],
    ]);
    expect(gatewaySplits({ splits: null }, splitAmount([wholeTo('re_1')], 101))).toMatchObject([
      { percent: 100 },
    ]);
    const parts = [flat(1), flat(100)];
    for (const part of gatewaySplits({ splits: parts }, splitAmount(parts, 101)))
      expect(part).not.toHaveProperty('percent');
  });
});
