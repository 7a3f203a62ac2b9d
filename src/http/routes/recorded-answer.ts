import type { RouteResponse } from '../server/route';
import { REPLAYED } from '../../application/shared/idempotency';

/** The answer recorded for an idempotency key, sent exactly as it was recorded; a replayed one says so in a header. */
export function presentRecordedAnswer({
  status,
  body,
  replayed,
}: {
  readonly status: number;
  readonly body: unknown;
  readonly replayed: boolean;
}): RouteResponse {
  return { status, body, ...(replayed && { headers: REPLAYED }) };
}
