import { z } from 'zod';
import { chargeReply } from './wire';

/** `GET /charges?changed_since=&after=`: at most 100, in the order of their last change. */
export const changesList = z.object({
  data: z.array(
    chargeReply
      .pick({
        id: true,
        reference: true,
        status: true,
        amount: true,
        captured_amount: true,
        refunded_amount: true,
        operations: true,
      })
      .extend({ changed_at: z.iso.datetime() }),
  ),
  /** `after` of the next page; null after the last one. */
  next: z.string().min(1).nullable(),
});
export type ChangesList = z.output<typeof changesList>;
