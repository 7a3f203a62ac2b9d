import type { AttemptStatus, PaymentMethod, PaymentStatus } from '../../../src/domain/payments/payment';
import { canTransition } from '../../../src/domain/payments/payment-lifecycle';
import type { Database } from '../../../src/persistence/sql/transaction';

/** One committed status change. */
interface RecordedTransition {
  readonly subject: 'payments' | 'gateway_attempts';
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Null for an attempt. */
  readonly method: PaymentMethod | null;
}

/** Installs triggers that record every status change, so that none between two queries is missed. */
export async function watchTransitions(db: Database): Promise<void> {
  await db.query(`
    CREATE TABLE watched_transitions (
      number bigint GENERATED ALWAYS AS IDENTITY, subject text, id text, "from" text, "to" text)`);
  await db.query(`
    CREATE FUNCTION watch_transition() RETURNS trigger LANGUAGE plpgsql AS '
    BEGIN
      INSERT INTO watched_transitions (subject, id, "from", "to")
      VALUES (TG_TABLE_NAME, NEW.id::text, OLD.status, NEW.status);
      RETURN NULL;
    END'`);
  for (const table of ['payments', 'gateway_attempts']) {
    await db.query(`
      CREATE TRIGGER watch_transition AFTER UPDATE ON ${table} FOR EACH ROW
      WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION watch_transition()`);
  }
}

/** A result is final, with two exceptions: a pending attempt may be paid, and an abandoned one may turn out to be charged. */
const ATTEMPT_TRANSITIONS: Readonly<Partial<Record<AttemptStatus, readonly AttemptStatus[]>>> = (() => {
  const results = [
    ...(['approved', 'authorized', 'pending', 'declined', 'canceled', 'refunded'] as const),
    ...(['error', 'abandoned'] as const),
  ];
  return {
    // `error`: not sent, because the payment's state no longer allows it.
    requested: ['sent', 'error'],
    // `requested`: a refund or reversal that certainly was not executed and is sent again.
    sent: ['unknown', 'requested', 'accepted', ...results],
    unknown: ['requested', 'accepted', ...results],
    // Its result, an operator's word, or the refusal of an operation that nobody requested.
    accepted: ['approved', 'canceled', 'refunded', 'declined', 'requested', 'abandoned', 'unknown'],
    pending: ['approved'],
    // The late charge is accepted or reversed.
    abandoned: ['accepted', 'approved', 'authorized', 'pending', 'canceled', 'refunded'],
  };
})();

/** I7: descriptions of the recorded transitions that are not allowed. */
export async function illegalTransitions(db: Database): Promise<string[]> {
  const transitions = await db.query<RecordedTransition>(
    `SELECT subject, w.id, "from", "to", payment_method AS method FROM watched_transitions w
     LEFT JOIN payments p ON subject = 'payments' AND p.id::text = w.id ORDER BY number`,
  );
  return transitions
    .filter((transition) => !isAllowed(transition))
    .map(({ subject, id, from, to }) => `${subject} ${id} went from ${from} to ${to}`);
}

function isAllowed({ subject, from, to, method }: RecordedTransition): boolean {
  if (subject === 'payments') {
    // Only a pix or billet can be paid after it failed or was canceled.
    const final = method === 'card' && (from === 'failed' || from === 'canceled');
    return !final && canTransition(from as PaymentStatus, to as PaymentStatus);
  }
  return ATTEMPT_TRANSITIONS[from as AttemptStatus]?.includes(to as AttemptStatus) ?? false;
}
