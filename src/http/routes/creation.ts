import {
  secretAlreadyShown,
  type CreateOnce,
  type Creation,
  type CreationOutcome,
  type CreationRequest,
} from '../../application/shared/create-once';
import type { PersonalContent } from '../../domain/customers/personal-data';
import { unlessRefused } from '../../application/shared/idempotency';
import type { RouteResponse } from '../server/route';
import { presentRecordedAnswer } from './recorded-answer';

/** The parts of a request that creates something. */
export interface CreatingRequest extends Omit<CreationRequest, 'companyId' | 'key'> {
  readonly company: { readonly id: number };
  readonly idempotencyKey: string | null;
}

interface Answer<T> {
  readonly status: number;
  readonly present: (created: T) => unknown;
  /** Whose personal data the answer shows; nobody's if omitted. */
  readonly personal?: (created: T) => PersonalContent;
}

/** Creates something once per idempotency key. A repeated request gets the same answer. */
export async function answerCreation<T>(
  createOnce: CreateOnce,
  request: CreatingRequest,
  prepare: () => Creation<T> | Promise<Creation<T>>,
  { status, present, personal }: Answer<T>,
): Promise<RouteResponse> {
  const answer = (created: T) => ({ status, body: present(created) });
  const outcome = unlessRefused<CreationOutcome<T>>(
    await createOnce.execute(toCreation(request), prepare, (created) => ({
      ...answer(created),
      ...(personal && { personal: personal(created) }),
    })),
  );
  return outcome.kind === 'created' ? answer(outcome.created) : presentRecordedAnswer(outcome);
}

/** Like `answerCreation`, for an answer with a secret: a repeated request is 409 with the id of the resource. */
export async function answerSecretCreation<T>(
  createOnce: CreateOnce,
  request: CreatingRequest,
  prepare: () => Creation<T> | Promise<Creation<T>>,
  { status, present, idOf }: Answer<T> & { readonly idOf: (created: T) => string | number },
): Promise<RouteResponse> {
  const record = (created: T) => secretAlreadyShown(idOf(created));
  const outcome = unlessRefused<CreationOutcome<T>>(
    await createOnce.execute(toCreation(request), prepare, record),
  );
  if (outcome.kind !== 'created') throw new Error('a recorded answer has a secret');
  return { status, body: await present(outcome.created) };
}

function toCreation({ company, idempotencyKey: key, path, body }: CreatingRequest): CreationRequest {
  return { companyId: company.id, key, path, body };
}
