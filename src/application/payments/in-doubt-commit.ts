import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, unavailable } from '../../domain/shared/errors';
import { isCommitInDoubt } from '../../persistence/sql/pooled-connection';
import type { Database } from '../../persistence/sql/transaction';

/** Pauses in ms before each lookup. Together they cover the time a failover of the database takes. */
const LOOKUP_DELAYS_MS = [50, 500, 1_000, 2_000, 4_000];
/** Together with the wait for COMMIT the caller gets an answer within 16 s, even if the database stops answering. */
const LOOKUP_TIMEOUT_MS = 8_000;

export interface InDoubtCommit<Row> {
  readonly db: Pick<Database, 'isCommitInProgress'>;
  /** Finds the row that the transaction inserts. */
  readonly find: () => Promise<Row | null>;
  /** What the transaction threw. */
  readonly cause: unknown;
  readonly idempotencyKey: string | null;
}

/**
 * If the connection breaks during COMMIT, the row may or may not exist, and an existing row will be processed. This looks
 * the row up and returns it. While the server may still be committing, a missing row proves nothing.
 *
 * @throws `cause` if the error is not an in-doubt commit, or if there is no row; ApiError `unavailable` if this is
 *   not known within the time of the request
 */
export async function resolveInDoubtCommit<Row>(commit: InDoubtCommit<Row>): Promise<Row> {
  const { cause } = commit;
  if (!isCommitInDoubt(cause)) throw cause;
  const endAt = performance.now() + LOOKUP_TIMEOUT_MS;
  for (const delayMs of LOOKUP_DELAYS_MS) {
    await delay(delayMs);
    const found = await Promise.race([
      lookUp(commit).catch(() => 'undecided' as const),
      delay(endAt - performance.now(), 'undecided' as const, { ref: false }),
    ]);
    if (found === null) throw cause;
    if (found !== 'undecided') return found;
    if (performance.now() >= endAt) break;
  }
  throw undecided(commit.idempotencyKey);
}

async function lookUp<Row>({ db, find, cause }: InDoubtCommit<Row>): Promise<Row | null | 'undecided'> {
  // Asked first: a commit that ends between the two is seen by the second.
  const inProgress = await db.isCommitInProgress(cause);
  const found = await find();
  return found === null && inProgress ? 'undecided' : found;
}

/** Without a key the request must not be repeated automatically, so there is no `Retry-After`. */
function undecided(idempotencyKey: string | null): ApiError {
  const message = 'It is not known whether the request was carried out';
  return idempotencyKey === null
    ? new ApiError(
        'unavailable',
        `${message}. It had no Idempotency-Key: look for its result before repeating it.`,
      )
    : unavailable(`${message}. Send it again with the same Idempotency-Key.`);
}
