/** Cents as people read them, `R$ 129,90`; for summaries and pages, never for arithmetic. */
export function formatMoney(amountCents: number, currency: string): string {
  return formatter(currency)
    .format(amountCents / 100)
    .replace(/\u00a0/g, ' ');
}

/** Making one costs far more than using it; there are as many as ISO 4217 has currencies. */
const formatters = new Map<string, Intl.NumberFormat>();

function formatter(currency: string): Intl.NumberFormat {
  const known = formatters.get(currency);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat('pt-BR', { style: 'currency', currency });
  formatters.set(currency, made);
  return made;
}
