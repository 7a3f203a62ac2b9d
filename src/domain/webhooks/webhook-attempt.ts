/** One attempt to deliver a webhook. */
export interface WebhookAttempt {
  /** Starts at 1. */
  readonly number: number;
  readonly startedAt: Date;
  readonly durationMs: number;
  /** Null without a response; `error` has the reason. */
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseExcerpt: string | null;
}
