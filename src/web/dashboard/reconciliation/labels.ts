import type { Schema } from '../../api/client';
import type { Tone } from '../../ui/badge';
import { catalogue } from '../../ui/language';

export type StatementStatus = Schema<'SettlementStatus'>;
export type DifferenceKind = Schema<'SettlementItemKind'>;
export type DifferenceStatus = Schema<'SettlementItemStatus'>;
export type LineKind = Schema<'StatementLine'>['kind'];

export const STATEMENT_STATUSES = [
  'receiving',
  'fetching',
  'matching',
  'comparing',
  'waiting',
  'done',
  'failed',
] as const satisfies readonly StatementStatus[];

export const DIFFERENCE_STATUSES = ['open', 'settled'] as const satisfies readonly DifferenceStatus[];

export const DIFFERENCE_KINDS = [
  'charged_twice',
  'unknown_to_us',
  'missing_there',
  'status_differs',
  'amount_differs',
  'fee_differs',
  'net_differs',
  'currency_differs',
  'installment_differs',
  'wrong_day',
  'twice',
  'unknown_dispute',
  'not_expected',
] as const satisfies readonly DifferenceKind[];

export const STATEMENT_TONES: Readonly<Record<StatementStatus, Tone>> = {
  receiving: 'info',
  fetching: 'info',
  matching: 'info',
  comparing: 'info',
  waiting: 'waiting',
  done: 'good',
  failed: 'bad',
};

export const statementStatusLabels: Readonly<Record<StatementStatus, string>> = catalogue({
  en: {
    receiving: 'Being uploaded',
    fetching: 'Being fetched',
    matching: 'Matching lines',
    comparing: 'Comparing',
    waiting: 'Waits for payments',
    done: 'Reconciled',
    failed: 'No statement',
  },
  pt: {
    receiving: 'Sendo enviado',
    fetching: 'Sendo buscado',
    matching: 'Associando linhas',
    comparing: 'Comparando',
    waiting: 'Espera pagamentos',
    done: 'Conciliado',
    failed: 'Sem extrato',
  },
});

export const differenceStatusLabels: Readonly<Record<DifferenceStatus, string>> = catalogue({
  en: { open: 'Open', settled: 'Settled' },
  pt: { open: 'Aberta', settled: 'Resolvida' },
});

export const differenceLabels: Readonly<Record<DifferenceKind, string>> = catalogue({
  en: {
    charged_twice: 'Charged twice',
    unknown_to_us: 'Not in the records',
    missing_there: 'Missing in the statement',
    status_differs: 'Paid there, not here',
    amount_differs: 'Other amount',
    fee_differs: 'Other fee',
    net_differs: 'Other net',
    currency_differs: 'Other currency',
    installment_differs: 'Other installment',
    wrong_day: 'Other day',
    twice: 'Counted twice',
    unknown_dispute: 'Unknown dispute',
    not_expected: 'Not expected',
  },
  pt: {
    charged_twice: 'Cobrado duas vezes',
    unknown_to_us: 'Fora dos registros',
    missing_there: 'Falta no extrato',
    status_differs: 'Pago lá, aqui não',
    amount_differs: 'Outro valor',
    fee_differs: 'Outra taxa',
    net_differs: 'Outro líquido',
    currency_differs: 'Outra moeda',
    installment_differs: 'Outra parcela',
    wrong_day: 'Outro dia',
    twice: 'Contado duas vezes',
    unknown_dispute: 'Contestação desconhecida',
    not_expected: 'Não esperado',
  },
});

export const lineLabels: Readonly<Record<LineKind, string>> = catalogue({
  en: {
    sale: 'Sale',
    settled: 'Settled',
    anticipated: 'Settled early',
    refund: 'Refund',
    chargeback: 'Disputed money taken',
    chargeback_returned: 'Disputed money returned',
    fee: 'Fee',
    payout: 'Payout to the bank',
  },
  pt: {
    sale: 'Venda',
    settled: 'Liquidação',
    anticipated: 'Antecipação',
    refund: 'Estorno',
    chargeback: 'Contestação debitada',
    chargeback_returned: 'Contestação devolvida',
    fee: 'Taxa',
    payout: 'Repasse ao banco',
  },
});
