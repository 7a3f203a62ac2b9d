/** The API's error codes with their HTTP status. */
export const ERROR_STATUS = {
  malformed_request: 400,
  unauthenticated: 401,
  otp_required: 401,
  insufficient_scope: 403,
  forbidden: 403,
  two_factor_required: 403,
  not_found: 404,
  gateway_not_found: 404,
  method_not_allowed: 405,
  invalid_state: 409,
  payment_disputed: 409,
  secret_already_shown: 409,
  card_in_use: 409,
  offer_changed: 409,
  cursor_expired: 410,
  session_used: 410,
  session_expired: 410,
  link_expired: 410,
  link_exhausted: 410,
  link_deleted: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  validation_error: 422,
  idempotency_key_reused: 422,
  no_gateway_available: 422,
  gateway_refused: 422,
  card_declined: 422,
  coupon_not_found: 422,
  coupon_inactive: 422,
  coupon_not_started: 422,
  coupon_expired: 422,
  coupon_exhausted: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
  restore_in_progress: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** Error messages by dotted body path (`splits.0.amount`) or by header or query parameter name. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** An error response of the API. Its message is public: no internals, no personal data. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly fields?: FieldErrors,
    /** Seconds for the `Retry-After` header of 429 and 503. */
    readonly retryAfterSeconds?: number,
    /** Additional response headers. */
    readonly headers: Readonly<Record<string, string>> = {},
    /** The resource that the error is about, where the client cannot know it. */
    readonly resourceId?: string | number,
  ) {
    super(message);
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

export function validationError(fields: FieldErrors): ApiError {
  return new ApiError('validation_error', 'The given data was invalid.', fields);
}

/** The same error for another company's resource and for one that does not exist, so that existence does not leak. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'The resource was not found.');
}

export function unauthenticated(message = 'Invalid credentials.'): ApiError {
  return new ApiError('unauthenticated', message);
}

export function unavailable(message: string, retryAfterSeconds = 1): ApiError {
  return new ApiError('unavailable', message, undefined, retryAfterSeconds);
}
