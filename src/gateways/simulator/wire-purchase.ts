import { z } from 'zod';
import { CHARGE_ORIGINS } from '../../domain/shared/purchase-details';

/** What is known about a purchase, all of it optional. */
export const purchase = z.object({
  payer_ip: z.string().nullable(),
  payer_phone: z.string().nullable(),
  description: z.string(),
  items: z.array(z.object({ name: z.string(), quantity: z.int(), unit_amount: z.int() })),
  return_url: z.string().nullable(),
  origin: z.enum(CHARGE_ORIGINS),
});
export type WirePurchase = z.output<typeof purchase>;
