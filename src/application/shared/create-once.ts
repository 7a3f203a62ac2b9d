import type { PersonalContent } from '../../domain/customers/personal-data';
import type { HttpAnswer } from '../../domain/shared/http-answer';
import { ApiError } from '../../domain/shared/errors';
import type { IdempotencyRepository, KeyClaim } from '../../persistence/payments/idempotency-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import { requestHashes } from '../../security/request-hash';
import type { SecretKeys } from '../../security/secret-keys';
import { resolveInDoubtCommit } from '../payments/in-doubt-commit';
import { keyReused, recordedAnswer, type RecordedAnswer } from './idempotency';

/** Creates a resource in the caller's transaction. */
export type Creation<T> = (tx: Tx) => Promise<T>;

/** A request that creates something and moves no money. */
export interface CreationRequest {
  readonly companyId: number;
  /** The key in the scope of the API key or user that sends it; null without a key. */
  readonly key: string | null;
  /** Below the API's base path. */
  readonly path: string;
  readonly body: unknown;
}

/** What repeated requests are answered. It must hold no secret (`secretAlreadyShown`). */
export interface RecordableAnswer extends HttpAnswer {
  /** Whose personal data it shows. */
  readonly personal?: PersonalContent;
}

/** What this request created, or the recorded answer of an earlier one. */
export type CreationOutcome<T> = { readonly kind: 'created'; readonly created: T } | RecordedAnswer;

export interface CreateOnceDeps {
  readonly db: Database;
  readonly idempotency: IdempotencyRepository;
  readonly requestHashKeys: SecretKeys;
  /** A key of a request that moves no money can be used again after this time. */
  readonly keyLifetimeMs: number;
  readonly now: () => Date;
}

/**
 * Creates something once per idempotency key: one transaction claims the key, creates the resource and records the answer
 * to repeated requests. Concurrent requests with the same key wait for that transaction.
 */
export class CreateOnce {
  constructor(private readonly deps: CreateOnceDeps) {}

  /**
   * @param prepare Runs before the transaction, for checks that need the network; not for a repeated request, which gets
   *   its answer even if it would be invalid today.
   * @throws ApiError `idempotency_key_reused`, and what `prepare` and the creation throw: the key stays free then
   */
  async execute<T>(
    request: CreationRequest,
    prepare: () => Creation<T> | Promise<Creation<T>>,
    record: (created: T) => RecordableAnswer,
  ): Promise<CreationOutcome<T>> {
    const { db } = this.deps;
    const claim = this.claimOf(request);
    if (claim === null) return { kind: 'created', created: await db.inTransaction(await prepare()) };
    const answer = await this.findAnswer(claim);
    if (answer !== null) return answer;
    const create = await this.prepared(claim, prepare);
    if (typeof create !== 'function') return create;
    const created = await this.createUnlessClaimed(claim, create, record);
    if (created !== null) return { kind: 'created', created: created.value };
    return this.execute(request, prepare, record);
  }

  /** If the check is refused, another request with the same key may have passed it meanwhile: its answer is everybody's. */
  private async prepared<T>(
    claim: KeyClaim,
    prepare: () => Creation<T> | Promise<Creation<T>>,
  ): Promise<Creation<T> | RecordedAnswer> {
    try {
      return await prepare();
    } catch (error) {
      const answer = error instanceof ApiError ? await this.findAnswer(claim) : null;
      if (answer === null) throw error;
      return answer;
    }
  }

  private claimOf({ companyId, key, path, body }: CreationRequest): KeyClaim | null {
    if (key === null) return null;
    return {
      companyId,
      key,
      requestHashes: requestHashes(this.deps.requestHashKeys, 'POST', path, body),
      expiresAt: new Date(this.deps.now().getTime() + this.deps.keyLifetimeMs),
    };
  }

  private async findAnswer({
    companyId,
    key,
    requestHashes: hashes,
  }: KeyClaim): Promise<RecordedAnswer | null> {
    const found = await this.deps.idempotency.find(companyId, key);
    if (found !== null && !hashes.includes(found.requestHash)) throw keyReused();
    return recordedAnswer(found, true);
  }

  /** Null if another request claimed the key; nothing was created. */
  private async createUnlessClaimed<T>(
    claim: KeyClaim,
    create: Creation<T>,
    record: (created: T) => RecordableAnswer,
  ): Promise<{ readonly value: T } | null> {
    const { db, idempotency } = this.deps;
    let pending: { readonly value: T; readonly answer: RecordableAnswer } | null = null;
    try {
      return await db.inTransaction(async (tx) => {
        if (!(await idempotency.claim(tx, claim))) return null;
        const value = await create(tx);
        pending = { value, answer: record(value) };
        await idempotency.recordAnswer(tx, claim, pending.answer, pending.answer.personal);
        return pending;
      });
    } catch (error) {
      if (error instanceof ApiError || pending === null) throw error;
      return this.resolveInDoubt(claim, pending, error);
    }
  }

  /** After a COMMIT whose result is unknown: null if the key has the answer of another request. */
  private async resolveInDoubt<T>(
    claim: KeyClaim,
    pending: { readonly value: T; readonly answer: HttpAnswer },
    cause: unknown,
  ): Promise<{ readonly value: T } | null> {
    const { db } = this.deps;
    const find = async () => this.findAnswer(claim);
    const found = await resolveInDoubtCommit({ db, find, cause, idempotencyKey: claim.key });
    const isOurs = JSON.stringify(found.body) === JSON.stringify(pending.answer.body);
    return isOurs ? pending : null;
  }
}

/** The answer to a repeated request whose first answer had a secret, which is not recorded. */
export function secretAlreadyShown(resourceId: string | number): HttpAnswer {
  const message = 'The first response to this Idempotency-Key had a secret, which is shown only once.';
  return { status: 409, body: { code: 'secret_already_shown', message, resource_id: resourceId } };
}
