import type { z } from 'zod';
import { GatewayError } from './errors';
import type { GatewayHttpResponse } from './http';
import { parseJson } from './parse-json';

/**
 * The object of an answer that has the status of a success.
 *
 * @throws GatewayError `ambiguous` if it is not the object, because the status alone proves nothing
 */
export function readReply<Schema extends z.ZodType>(
  { status, text }: Pick<GatewayHttpResponse, 'status' | 'text'>,
  schema: Schema,
): z.output<Schema> {
  const reply = schema.safeParse(parseJson(text));
  if (!reply.success)
    throw new GatewayError('ambiguous', 'the gateway answer was unreadable', String(status));
  return reply.data;
}
