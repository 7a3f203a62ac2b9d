import { catalogue } from '../../../ui/language';

export const messages = catalogue({
  en: {
    month: 'Month',
    captured: 'Captured',
    refunds: 'Refunds',
    disputes: 'Disputes',
    fees: 'Fees',
    settledAmount: 'Settled',
    paidOut: 'Paid out',
    byGateway: 'By gateway',
    byGatewayHint: 'Fees, settled and paid out are what statements say.',
    byRecipient: 'By recipient',
    recipient: 'Recipient',
    noReport: 'Nothing in this month.',
    download: 'Download CSV',
  },
  pt: {
    month: 'Mês',
    captured: 'Capturado',
    refunds: 'Estornos',
    disputes: 'Contestações',
    fees: 'Taxas',
    settledAmount: 'Liquidado',
    paidOut: 'Repassado',
    byGateway: 'Por gateway',
    byGatewayHint: 'Taxas, liquidado e repassado são o que dizem os extratos.',
    byRecipient: 'Por recebedor',
    recipient: 'Recebedor',
    noReport: 'Nada neste mês.',
    download: 'Baixar CSV',
  },
});
