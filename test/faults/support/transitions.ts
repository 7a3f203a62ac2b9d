import type { AttemptStatus, PaymentMethod, PaymentStatus } from '../../../src/domain/payments/payment';
import { canTransition } from '../../../src/domain/payments/payment-lifecycle';
import type { Database } from '../../../src/persistence/sql/transaction';

/** One committed change of a status, in the order the database made it. */
interface Transition {
  readonly subject: 'payments' | 'gateway_attempts';
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Of a payment. */
  readonly method: PaymentMethod | null;
}

/** Has the database itself note every change of a status, so that none between two looks is missed. */
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

/** A result is kept; only what waits may be paid, and what was proven absent may turn out to have been charged after all. */
const ATTEMPT_MOVES: Readonly<Partial<Record<AttemptStatus, readonly AttemptStatus[]>>> = (() => {
  const results = [
    ...(['approved', 'authorized', 'pending', 'declined', 'canceled', 'refunded'] as const),
    ...(['error', 'abandoned'] as const),
  ];
  return {
    // Not sent at all when the payment's state has come to forbid it.
    requested: ['sent', 'error'],
    // Back to requested: an operation that gives money back and certainly was not done.
    sent: ['unknown', 'requested', ...results],
    unknown: ['requested', ...results],
    pending: ['approved'],
    // Taken up, or given back.
    abandoned: ['approved', 'authorized', 'pending', 'canceled', 'refunded'],
  };
})();

/** I7: every transition the database has seen since `after` that must not happen, in words. */
export async function illegalTransitions(db: Database): Promise<string[]> {
  const transitions = await db.query<Transition>(
    `SELECT subject, w.id, "from", "to", payment_method AS method FROM watched_transitions w
     LEFT JOIN payments p ON subject = 'payments' AND p.id::text = w.id ORDER BY number`,
  );
  return transitions
    .filter((transition) => !isLegal(transition))
    .map(({ subject, id, from, to }) => `${subject} ${id} went from ${from} to ${to}`);
}

function isLegal({ subject, from, to, method }: Transition): boolean {
  if (subject === 'payments') {
    // Only a pix or billet can be paid after all.
    const final = method === 'card' && (from === 'failed' || from === 'canceled');
    return !final && canTransition(from as PaymentStatus, to as PaymentStatus);
  }
  return ATTEMPT_MOVES[from as AttemptStatus]?.includes(to as AttemptStatus) ?? false;
}
