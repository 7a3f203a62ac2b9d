import { currencyDecimals, majorUnits } from './currency';

/** Formats an amount in minor units as `R$ 129,90`, for display only. */
export function formatMoney(amountCents: number, currency: string): string {
  return formatter(currency)
    .format(majorUnits(amountCents, currency))
    .replace(/\u00a0/g, ' ');
}

/** Cached because construction is slow; at most one per ISO 4217 currency. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatter(currency: string): Intl.NumberFormat {
  const cached = formatters.get(currency);
  if (cached !== undefined) return cached;
  const created = new Intl.NumberFormat('pt-BR', {
    style: 'currency',
    currency,
    // Intl has the customary decimals, which for some currencies are not those of ISO 4217.
    minimumFractionDigits: currencyDecimals(currency),
    maximumFractionDigits: currencyDecimals(currency),
  });
  formatters.set(currency, created);
  return created;
}
