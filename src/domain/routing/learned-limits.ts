import type { PaymentMethod } from '../payments/payment';
import { assertNever } from '../shared/assert-never';

/** What a gateway can switch off for one account, whatever its driver supports. */
export const ACCOUNT_FEATURES = ['raw_cards', 'pix', 'billet', 'splits'] as const;
export type AccountFeature = (typeof ACCOUNT_FEATURES)[number];

/** A gateway's answer that a company's account lacks a feature. Routing follows it for `LIMIT_HOLDS_HOURS`. */
export interface LearnedLimit {
  readonly feature: AccountFeature;
  /** When the charge was sent whose answer said so. */
  readonly since: Date;
  /** The gateway's words. */
  readonly message: string;
}

/** After this time a payment asks the account again, so that one that the gateway has enabled since comes back by itself. */
export const LIMIT_HOLDS_HOURS = 24;
const HOUR_MS = 3_600_000;

/** When a payment asks the account again. */
export function limitHoldsUntil({ since }: Pick<LearnedLimit, 'since'>): Date {
  return new Date(since.getTime() + LIMIT_HOLDS_HOURS * HOUR_MS);
}

interface FeatureUse {
  readonly paymentMethod: PaymentMethod;
  readonly isSplit: boolean;
}

/** What an account must have for a payment. */
export function neededFeatures({ paymentMethod, isSplit }: FeatureUse): readonly AccountFeature[] {
  return [featureOf(paymentMethod), ...(isSplit ? (['splits'] as const) : [])];
}

/** The first feature that a payment needs and its account lacks. Null if there is none. */
export function lackedFeature(lacked: readonly AccountFeature[], payment: FeatureUse): AccountFeature | null {
  return neededFeatures(payment).find((feature) => lacked.includes(feature)) ?? null;
}

function featureOf(method: PaymentMethod): AccountFeature {
  switch (method) {
    case 'card':
      return 'raw_cards';
    case 'pix':
    case 'billet':
      return method;
    default:
      return assertNever(method);
  }
}

/** Why a gateway is passed over, after its name. */
export function describeLackedFeature(feature: AccountFeature): string {
  switch (feature) {
    case 'raw_cards':
      return 'answered that the account cannot charge card numbers';
    case 'pix':
      return 'answered that the account has no pix';
    case 'billet':
      return 'answered that the account has no boletos';
    case 'splits':
      return 'answered that the account cannot split payments';
    default:
      return assertNever(feature);
  }
}
