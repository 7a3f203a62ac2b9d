import { formatBoleto } from '@brazilian-utils/brazilian-utils/format-boleto';
import { toSVG } from 'bwip-js/node';
import { DateTime } from 'luxon';
import type { BilletCharge, StoredCharge } from './charge-store';
import type { ChargeStatus } from '../gateways/simulator/wire';

/** Size of the printed barcode in mm, as FEBRABAN requires. */
const BARCODE = { width: 103, height: 13 };

const STATUS_LABELS: Partial<Record<ChargeStatus, string>> = {
  pending: 'Aguardando pagamento',
  approved: 'Pago',
  expired: 'Vencido',
  canceled: 'Cancelado',
  refunded: 'Devolvido',
};

const STYLE = `
  body { font: 15px/1.45 system-ui, sans-serif; color: #111; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
  header { display: flex; justify-content: space-between; align-items: baseline; border-bottom: 2px solid; }
  h1 { font-size: 1.25rem; }
  .line { font: 600 1.05rem/1.6 ui-monospace, monospace; overflow-wrap: anywhere; }
  dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 0; border: 1px solid; }
  dl div { padding: .5rem .75rem; border: 1px solid #bbb; }
  dt { font-size: .8rem; color: #444; }
  dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
  .wide { grid-column: 1 / -1; }
  svg { width: ${BARCODE.width}mm; max-width: 100%; height: ${BARCODE.height}mm; }
  .note { color: #444; font-size: .85rem; }
  @media print { body { margin: 0; max-width: none; } .note, .status { display: none; } @page { size: A4; margin: 15mm; } }
`;

/** The printable page of a billet. It shows no customer: the simulator stores no customer data. */
export function billetPage(charge: StoredCharge, billet: BilletCharge): string {
  const amount = (charge.amount / 100).toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' });
  const dueAt = DateTime.fromISO(billet.dueAt).toFormat('dd/MM/yyyy');
  const field = (label: string, value: string, wide = false): string =>
    `<div${wide ? ' class="wide"' : ''}><dt>${label}</dt><dd>${escapeHtml(value)}</dd></div>`;
  return `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Boleto de ${escapeHtml(amount)}</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>Boleto bancário</h1><span class="status">${STATUS_LABELS[charge.status] ?? ''}</span></header>
<p class="line" aria-label="Linha digitável">${formatBoleto(billet.line)}</p>
<dl>
${field('Beneficiário', 'Loja do Simulador')}
${field('Valor do documento', amount)}
${field('Vencimento', dueAt)}
${field('Nosso número', charge.reference, true)}
${field('Instruções', billet.instructions ?? 'Não receber após o prazo de pagamento.', true)}
</dl>
<p>${barcodeSvg(billet.barcode)}</p>
<p class="note">Ambiente de testes: nenhum banco recebe este boleto.</p>
</body>
</html>
`;
}

function barcodeSvg(barcode: string): string {
  const svg = toSVG({ bcid: 'interleaved2of5', text: barcode, scaleX: 1, height: BARCODE.height });
  return svg.replace('<svg ', '<svg preserveAspectRatio="none" role="img" aria-label="Código de barras" ');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
