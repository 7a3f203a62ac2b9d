import { z } from 'zod';
import { STATEMENT_LINE_KINDS } from '../../domain/settlement/statement-line';
import { nonNegativeCents } from './wire';

const text = z.string().min(1).max(255);

/** One line of `GET /statements/{day}`. */
export const wireStatementLine = z.object({
  id: text,
  kind: z.enum(STATEMENT_LINE_KINDS),
  day: z.iso.date(),
  reference: text.nullable(),
  charge_id: text.nullable(),
  dispute_id: text.nullable(),
  amount: nonNegativeCents,
  fee: nonNegativeCents,
  net: z.int(),
  currency: z.string().length(3),
  installment: z.int().positive().nullable(),
  occurred_at: z.iso.datetime().nullable(),
});
export type WireStatementLine = z.output<typeof wireStatementLine>;

/** `GET /statements/{day}?after=`: a page of lines, and where the next page begins. */
export const statementReply = z.object({
  day: z.iso.date(),
  data: z.array(wireStatementLine),
  next: z.string().min(1).nullable(),
});
