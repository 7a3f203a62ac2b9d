import { approvalRate } from '../../../../src/domain/dashboard/approval-rate';

describe('the approval rate', () => {
  it('is the share of the approved among those with a result, whatever is open', () => {
    const counted = [
      { result: 'approved', count: 2 },
      { result: 'refused', count: 1 },
      { result: 'open', count: 7 },
    ] as const;
    expect(approvalRate(counted)).toBe(0.6667);
  });

  it('is null if nothing has a result', () => {
    expect(approvalRate([])).toBeNull();
    expect(approvalRate([{ result: 'open', count: 3 }])).toBeNull();
  });
});
