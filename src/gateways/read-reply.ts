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
  { status, text, noteUnrecognized }: Pick<GatewayHttpResponse, 'status' | 'text' | 'noteUnrecognized'>,
  schema: Schema,
): z.output<Schema> {
  const reply = schema.safeParse(parseJson(text));
  if (reply.success) return reply.data;
  noteUnrecognized?.();
  throw new GatewayError('ambiguous', 'the gateway answer was unreadable', String(status));
}
