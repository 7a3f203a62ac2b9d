import type { components } from '../../http/generated/openapi';

type ErrorBody = components['schemas']['Error'];

interface FailureParts extends Partial<Omit<ErrorBody, 'request_id'>> {
  /** Null: no answer came. */
  readonly status: number | null;
  readonly requestId?: string;
}

/** A request that was refused, or that nobody answered. */
export class ApiFailure extends Error {
  readonly status: number | null;
  readonly code: ErrorBody['code'] | null;
  /** What is wrong with which field, by dotted path. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | null;

  constructor({ status, code, message, errors, requestId }: FailureParts) {
    super(message ?? 'no answer');
    this.name = 'ApiFailure';
    this.status = status;
    this.code = code ?? null;
    this.fields = errors ?? {};
    this.requestId = requestId ?? null;
  }

  /** Whether the request may have been carried out all the same: then only the same request may be sent again. */
  get isOpen(): boolean {
    return this.status === null || this.status >= 500 || this.status === 429;
  }
}

export function failureOf(status: number, body: unknown): ApiFailure {
  if (typeof body !== 'object' || body === null) return new ApiFailure({ status });
  const { message, code, errors, request_id: requestId } = body as Partial<ErrorBody>;
  return new ApiFailure({ status, message, code, errors, requestId });
}
