import { awaitsCompany, isDecided, type Dispute } from './dispute';

const DAY_MS = 24 * 60 * 60 * 1000;
const REMINDER_LEAD_MS = 3 * DAY_MS;

/**
 * When the company is reminded that its evidence is due: three days before, or halfway if less than six days are left. Null if
 * nothing is due.
 */
export function reminderAt(dispute: Pick<Dispute, 'status' | 'evidenceDueAt'>, openedAt: Date): Date | null {
  const { evidenceDueAt: dueAt } = dispute;
  if (dueAt === null || !awaitsCompany(dispute) || dueAt <= openedAt) return null;
  const halfway = +openedAt + (+dueAt - +openedAt) / 2;
  return new Date(Math.max(+dueAt - REMINDER_LEAD_MS, halfway));
}

/** An undecided dispute is looked at again after this time at the latest, so that no run of its workflow waits for ever. */
const LONGEST_PAUSE_MS = 7 * DAY_MS;

/** Until the next step of a dispute, in ms; null once it is decided, unless its gateway opens it again. */
export function disputePauseMs(
  dispute: Pick<Dispute, 'status' | 'evidenceDueAt'>,
  reminder: Date | null,
  now: Date,
): number | null {
  if (isDecided(dispute)) return null;
  const next = [reminder, dispute.evidenceDueAt].filter((at) => at !== null && at > now).map(Number);
  return Math.min(...next.map((at) => at - now.getTime()), LONGEST_PAUSE_MS);
}
