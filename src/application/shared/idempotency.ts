import { ApiError, type ErrorCode, type FieldErrors } from '../../domain/shared/errors';
import type {
  IdempotencyRecord,
  IdempotencyRepository,
} from '../../persistence/payments/idempotency-repository';
import type { KeyedValues } from '../../security/secret-keys';

/** The answer of an idempotency key: every request that carries the key gets the same one. */
export interface RecordedAnswer {
  readonly kind: 'recorded';
  readonly status: number;
  readonly body: unknown;
  /** True if an earlier request caused the answer. */
  readonly replayed: boolean;
}

/** Marks the recorded answer of an earlier request. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;

/** The column that names what a key created. */
type CreatedId = 'transactionId' | 'attemptId' | 'subAccountId' | 'subscriptionId' | 'subscriptionCommandId';

type ClaimedRecord<Id extends CreatedId> = IdempotencyRecord & {
  readonly [name in Id]: NonNullable<IdempotencyRecord[name]>;
};

/**
 * The record of a key that is claimed already.
 *
 * @throws ApiError `idempotency_key_reused` if the key was claimed by a different request
 */
export async function findClaimedKey<Id extends CreatedId>(
  idempotency: Pick<IdempotencyRepository, 'find'>,
  { companyId, key, requestHashes }: { companyId: number; key: string | null; requestHashes: KeyedValues },
  createdId: Id,
): Promise<ClaimedRecord<Id>> {
  const record = await idempotency.find(companyId, key ?? '');
  if (record === null) throw new Error('a claimed idempotency key has no record');
  if (!requestHashes.includes(record.requestHash) || record[createdId] === null) throw keyReused();
  return record as ClaimedRecord<Id>;
}

/** The answer recorded for a key, or null before the outcome is recorded. */
export function recordedAnswer(record: IdempotencyRecord | null, replayed: boolean): RecordedAnswer | null {
  if (record === null || record.responseStatus === null) return null;
  return { kind: 'recorded', status: record.responseStatus, body: record.responseBody, replayed };
}

/** The answer recorded for a key, if the request has a key and its outcome is recorded. */
export async function findRecordedAnswer(
  idempotency: Pick<IdempotencyRepository, 'find'>,
  companyId: number,
  key: string | null,
): Promise<RecordedAnswer | null> {
  return key === null ? null : recordedAnswer(await idempotency.find(companyId, key), false);
}

/**
 * The recorded answer, or what `read` returns. If `read` finds a result, it was recorded after the key was read, so the key
 * has its answer by now, and every request gets that one.
 */
export async function recordedOr<Answer>(
  find: () => Promise<RecordedAnswer | null>,
  read: () => Promise<Answer>,
  isResult: (answer: Answer) => boolean,
): Promise<RecordedAnswer | Answer> {
  const recorded = await find();
  if (recorded !== null) return recorded;
  const current = await read();
  return isResult(current) ? ((await find()) ?? current) : current;
}

/** Throws a recorded refusal as the error it was; returns any other answer. */
export function unlessRefused<Answer extends { readonly kind: string }>(
  answer: Answer | RecordedAnswer,
): Answer {
  if (!isRecorded(answer) || answer.status < 400) return answer as Answer;
  const { code, message, errors, resource_id: resourceId } = answer.body as RecordedRefusal;
  throw new ApiError(code, message, errors, undefined, answer.replayed ? REPLAYED : {}, resourceId);
}

interface RecordedRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly errors?: FieldErrors;
  readonly resource_id?: string | number;
}

function isRecorded(answer: { readonly kind: string }): answer is RecordedAnswer {
  return answer.kind === 'recorded';
}

export function keyReused(): ApiError {
  return new ApiError('idempotency_key_reused', 'This Idempotency-Key was used for a different request.');
}
