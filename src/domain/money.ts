/** Cents as people read them, `R$ 129,90`; for summaries and pages, never for arithmetic. */
export function formatMoney(amountCents: number, currency: string): string {
  const text = new Intl.NumberFormat('pt-BR', { style: 'currency', currency }).format(amountCents / 100);
  return text.replace(/\u00a0/g, ' ');
}
