/** One attempt to bring a delivery to its receiver. */
export interface WebhookAttempt {
  /** From 1. */
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null when there was no answer; `error` says why. */
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseExcerpt: string | null;
}
