import { matchRefund, type ListedRefund, type OtherRefund } from '../../../src/gateways/inquired-refund';

type States = readonly ListedRefund['state'][];
type Others = readonly OtherRefund['status'][];

const match = (states: States, others: Others) =>
  matchRefund(
    {
      amountCents: 500,
      others: [
        ...others.map((status) => ({ amountCents: 500, status })),
        { amountCents: 90, status: 'unknown' },
      ],
    },
    [...states.map((state) => ({ amountCents: 500, state })), { amountCents: 70, state: 'done' }],
  );

describe('a refund in the list of its charge', () => {
  it.each<[States, string]>([
    [[], 'absent'],
    [['done'], 'done'],
    [['pending'], 'pending'],
    [['refused'], 'refused'],
    // A refund of the dashboard beside it: which one is ours does not matter.
    [['refused', 'done'], 'done'],
    [['done', 'done'], 'done'],
  ])('that no other one equals in amount has the listed state (%j: %s)', (states, expected) => {
    expect(match(states, [])).toBe(expected);
  });

  it.each<[States, Others, string]>([
    [['done'], ['refunded'], 'absent'],
    [['done', 'done'], ['refunded'], 'done'],
    [['done', 'pending'], ['refunded'], 'pending'],
    [['refused'], ['refused'], 'absent'],
    [['refused', 'refused'], ['refused'], 'refused'],
    [['pending'], ['accepted'], 'absent'],
    [['pending', 'pending'], ['accepted'], 'pending'],
    [['done', 'done'], ['accepted'], 'done'],
    [['done', 'done'], ['unknown'], 'done'],
    [[], ['unknown'], 'absent'],
  ])('is what the records of the others do not explain (%j with %j: %s)', (states, others, expected) => {
    expect(match(states, others)).toBe(expected);
  });

  it.each<[States, Others]>([
    [['done'], ['unknown']],
    [['done', 'pending'], ['accepted']],
    [['done', 'refused'], ['accepted']],
    [['refused'], ['unknown']],
    [[], ['refunded']],
  ])('is unclear if it may have changed places with another of its amount (%j with %j)', (states, others) => {
    expect(match(states, others)).toBe('unclear');
  });
});
