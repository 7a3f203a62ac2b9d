import type { Gateway } from './queries';

/** The names that the vendors use for themselves. */
const VENDOR_NAMES: Readonly<Record<string, string>> = {
  adyen: 'Adyen',
  asaas: 'Asaas',
  cielo: 'Cielo',
  mercadopago: 'Mercado Pago',
  pagarme: 'Pagar.me',
  'pix-bacen': 'Pix',
  simulator: 'Simulator',
  stripe: 'Stripe',
};

/** `gateway_4 · Stripe`, or the slug alone where this service has no connection to it. */
export function gatewayTitle({
  gateway_slug: slug,
  vendor,
}: Pick<Gateway, 'gateway_slug' | 'vendor'>): string {
  return vendor === null ? slug : `${slug} · ${VENDOR_NAMES[vendor] ?? vendor}`;
}
