import {
  announcementOf,
  applyAnswer,
  applyReport,
  type Dispute,
  type ReportedDispute,
} from '../../../../src/domain/disputes/dispute';
import { disputePauseMs, reminderAt } from '../../../../src/domain/disputes/dispute-deadline';
import { borneShares, disputedCents, lossToSettleCents } from '../../../../src/domain/disputes/dispute-money';
import { disputeReport, type TestReport } from './dispute-reports';

const at = (second: number, change: TestReport = {}): ReportedDispute => disputeReport({ second, ...change });

function after(...reports: ReportedDispute[]): Dispute {
  const last = reports.reduce<Dispute | null>(
    (before, report) => applyReport(before, report) ?? before,
    null,
  );
  if (last === null) throw new Error('there is no report');
  return last;
}

describe('a report of a dispute', () => {
  it('counts only if it is newer than what is known, in whatever order the reports come', () => {
    const [opened, won, reopened] = [at(1), at(2, { status: 'won' }), at(4)];
    expect(after(opened, won, reopened).status).toBe('opened');
    expect(after(opened, reopened, won).status).toBe('opened');
    expect(after(won, opened).status).toBe('won');
    expect(after(reopened, won, opened).status).toBe('opened');
  });

  it('of the same instant, the one that is further counts', () => {
    expect(after(at(1), at(1, { status: 'lost' })).status).toBe('lost');
    expect(after(at(1, { status: 'lost' }), at(1)).status).toBe('lost');
  });

  it('from before the acceptance does not open an accepted dispute again, but a later one and a decision do count', () => {
    const accepted = applyAnswer(after(at(1)), 'accept');
    const acceptance = { kind: 'accept', takenAt: at(5).at } as const;
    expect(applyReport(accepted, at(4), acceptance)?.status).toBe('accepted');
    expect(applyReport(accepted, at(6), acceptance)?.status).toBe('opened');
    expect(applyReport(accepted, at(4, { status: 'won' }), acceptance)?.status).toBe('won');
    expect(applyReport(accepted, at(4, { status: 'lost' }), acceptance)?.status).toBe('accepted');
  });

  it('of a loss is an acceptance if the gateway may have the acceptance', () => {
    const mayHaveIt = { kind: 'accept', takenAt: null } as const;
    expect(applyReport(after(at(1)), at(2, { status: 'lost' }), mayHaveIt)?.status).toBe('accepted');
    expect(applyReport(after(at(1)), at(2, { status: 'lost' }))?.status).toBe('lost');
  });

  it('keeps a decided dispute from being answered', () => {
    for (const kind of ['accept', 'evidence'] as const)
      expect(applyAnswer(after(at(1, { status: 'won' })), kind)).toBeNull();
  });

  it('from before the submission of evidence does not make it due again, but a later one and a decision do count', () => {
    const submitted = applyAnswer(after(at(1)), 'evidence');
    const answer = { kind: 'evidence', takenAt: at(5).at } as const;
    expect(submitted?.status).toBe('submitted');
    expect(applyReport(submitted, at(4), answer)?.status).toBe('submitted');
    expect(applyReport(submitted, at(6), answer)?.status).toBe('opened');
    expect(applyReport(submitted, at(4, { status: 'lost' }), answer)?.status).toBe('lost');
    expect(applyReport(submitted, at(6, { status: 'won' }), answer)?.status).toBe('won');
  });

  it('of a won dispute returns the whole amount unless it says how much, and never more', () => {
    expect(after(at(1, { status: 'won' })).returnedCents).toBe(1_000);
    expect(after(at(1, { status: 'won', returnedCents: 400 })).returnedCents).toBe(400);
    expect(after(at(1, { status: 'won', returnedCents: 4_000 })).returnedCents).toBe(1_000);
    expect(after(at(1, { status: 'lost', returnedCents: 400 })).returnedCents).toBe(0);
  });

  it('of a loss leaves an accepted dispute accepted', () => {
    expect(after(at(1, { status: 'accepted' }), at(2, { status: 'lost' })).status).toBe('accepted');
  });

  it('is announced when the dispute is opened, opened again or decided, and otherwise not', () => {
    const [opened, won, lost] = [
      after(at(1)),
      after(at(2, { status: 'won' })),
      after(at(3, { status: 'lost' })),
    ];
    expect(announcementOf(null, opened)).toBe('opened');
    expect(announcementOf(null, lost)).toBe('closed');
    expect(announcementOf(opened, after(at(2)))).toBeNull();
    expect(announcementOf(opened, after(at(2, { status: 'submitted' })))).toBeNull();
    expect(announcementOf(opened, won)).toBe('closed');
    expect(announcementOf(won, opened)).toBe('opened');
    expect(announcementOf(won, lost)).toBe('closed');
    expect(announcementOf(lost, after(at(4, { status: 'lost' })))).toBeNull();
  });
});

describe('the money of a dispute', () => {
  it('is disputed until it is returned; a decided retrieval disputes nothing', () => {
    expect(disputedCents(after(at(1)))).toBe(1_000);
    expect(disputedCents(after(at(1, { status: 'won', returnedCents: 300 })))).toBe(700);
    expect(disputedCents(after(at(1, { kind: 'retrieval' })))).toBe(1_000);
    expect(disputedCents(after(at(1, { kind: 'retrieval', status: 'lost' })))).toBe(0);
  });

  it('is a loss to settle where it was refunded, too, and not while the charge is not known', () => {
    const loss = (capturedAmountCents: number, refundedAmountCents: number, disputedAmountCents: number) =>
      lossToSettleCents({ capturedAmountCents, refundedAmountCents, disputedAmountCents });
    expect(loss(1_000, 400, 600)).toBe(0);
    expect(loss(1_000, 400, 700)).toBe(100);
    expect(loss(0, 0, 1_000)).toBe(0);
  });

  it('is borne by liable recipients in proportion to their shares', () => {
    const share = { type: 'flat', chargeProcessingFee: false, chargeRemainderFee: false } as const;
    const captured = [
      { ...share, recipientId: 'rp_a', amountCents: 300, liable: true },
      { ...share, recipientId: 'rp_b', amountCents: 700, liable: false },
    ];
    expect(
      borneShares(captured, 500).map(({ recipientId, amountCents }) => [recipientId, amountCents]),
    ).toEqual([['rp_a', 150]]);
    expect(borneShares(captured, 0)).toEqual([]);
  });
});

describe('the deadline of a dispute', () => {
  const DAY = 86_400;
  const openedAt = at(0).at;

  it('has a reminder three days before, or halfway if less than six days are left', () => {
    const reminder = (dueIn: number | null, change: TestReport = {}) => {
      const found = reminderAt(after(at(0, { dueIn, ...change })), openedAt);
      return found && (+found - +openedAt) / 1_000;
    };
    expect(reminder(10 * DAY)).toBe(7 * DAY);
    expect(reminder(4 * DAY)).toBe(2 * DAY);
    expect(reminder(null)).toBeNull();
    expect(reminder(-1)).toBeNull();
    expect(reminder(10 * DAY, { status: 'submitted' })).toBeNull();
  });

  it('is slept until, at most a week at a time, and not at all once the dispute is decided', () => {
    const dispute = after(at(0, { dueIn: 2 * DAY }));
    const inSeconds = (seconds: number) => new Date(+openedAt + seconds * 1_000);
    expect(disputePauseMs(dispute, inSeconds(DAY), openedAt)).toBe(DAY * 1_000);
    expect(disputePauseMs(dispute, null, openedAt)).toBe(2 * DAY * 1_000);
    expect(disputePauseMs(dispute, null, inSeconds(3 * DAY))).toBe(7 * DAY * 1_000);
    expect(disputePauseMs(after(at(1, { status: 'lost' })), null, openedAt)).toBeNull();
  });
});
