import { z } from 'zod';
import type { StoredCharge } from '../../charge-store';
import type { CieloSale } from './bodies';

/** What a sale's request says and its answers repeat. No customer data, and of the card what may be shown. */
const saleData = z.object({
  merchant_order_id: z.string().default(''),
  type: z.enum(['CreditCard', 'Pix', 'Boleto']).default('CreditCard'),
  installments: z.int().default(1),
  interest: z.string().nullable().default(null),
  capture: z.boolean().default(false),
  recurrent: z.boolean().default(false),
  soft_descriptor: z.string().nullable().default(null),
  provider: z.string().nullable().default(null),
  card: z
    .object({
      number: z.string(),
      expiration: z.string(),
      brand: z.string(),
      on_file: z.object({ Usage: z.string(), Reason: z.string().optional() }).nullable(),
    })
    .nullable()
    .default(null),
});
export type SaleData = z.output<typeof saleData>;

export function saleDataFrom({ MerchantOrderId, Payment }: CieloSale): SaleData {
  const none = { installments: 1, interest: null, capture: false, recurrent: false, soft_descriptor: null };
  const common = { ...none, merchant_order_id: MerchantOrderId, type: Payment.Type };
  switch (Payment.Type) {
    case 'CreditCard': {
      const { CardNumber, ExpirationDate, Brand, CardOnFile = null } = Payment.CreditCard;
      return {
        ...common,
        installments: Payment.Installments,
        interest: Payment.Interest ?? 'ByMerchant',
        capture: Payment.Capture,
        recurrent: Payment.Recurrent,
        soft_descriptor: Payment.SoftDescriptor ?? null,
        provider: Payment.Provider ?? null,
        card: {
          number: maskedNumber(CardNumber),
          expiration: ExpirationDate,
          brand: Brand,
          on_file: CardOnFile && { Usage: CardOnFile.Usage, ...reasonOf(CardOnFile.Reason) },
        },
      };
    }
    case 'Pix':
      return { ...common, provider: 'Cielo2', card: null };
    case 'Boleto':
      return { ...common, provider: Payment.Provider, card: null };
  }
}

/** Of a charge that another protocol created, which has none: the defaults. */
export function saleDataOf(charge: StoredCharge): SaleData {
  return saleData.parse(charge.operations[0]?.wireData ?? {});
}

const reasonOf = (reason: string | undefined) => (reason === undefined ? {} : { Reason: reason });

function maskedNumber(number: string): string {
  return `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`;
}
