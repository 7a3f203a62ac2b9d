import type { components } from '../../http/generated/openapi';

type ErrorBody = components['schemas']['Error'];

interface RequestErrorInit extends Partial<Omit<ErrorBody, 'request_id'>> {
  /** Null when no response arrived. */
  readonly status: number | null;
  readonly requestId?: string;
}

/** An error response, or no response at all. */
export class RequestError extends Error {
  readonly status: number | null;
  readonly code: ErrorBody['code'] | null;
  /** Problems by field, keyed by dotted path. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | null;

  constructor({ status, code, message, errors, requestId }: RequestErrorInit) {
    super(message ?? 'no response');
    this.name = 'RequestError';
    this.status = status;
    this.code = code ?? null;
    this.fields = errors ?? {};
    this.requestId = requestId ?? null;
  }

  /** True when the API may have processed the request: only the same request may be sent again. */
  get isOutcomeUnknown(): boolean {
    return this.status === null || this.status >= 500 || this.status === 429;
  }
}

export function errorFromResponse(status: number, body: unknown): RequestError {
  if (typeof body !== 'object' || body === null) return new RequestError({ status });
  const { message, code, errors, request_id: requestId } = body as Partial<ErrorBody>;
  return new RequestError({ status, message, code, errors, requestId });
}

/** Any other error means that no response arrived. */
export function toRequestError(error: unknown): RequestError {
  return error instanceof RequestError ? error : new RequestError({ status: null });
}
