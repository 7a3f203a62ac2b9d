import type { Schema } from '../../api/client';
import type { Tone } from '../../ui/badge';
import { catalogue, language } from '../../ui/language';

type Entry = Schema<'TimelineEntry'>;

const PORTUGUESE_TITLES: Readonly<Record<string, string>> = {
  created: 'Pagamento criado',
  routed: 'Gateway escolhido',
  failed_over: 'Enviado a outro gateway',
  requested: 'Operação solicitada',
  sent: 'Enviado ao gateway',
  not_sent: 'Não enviado',
  gateway_accepted: 'Aceito pelo gateway',
  gateway_declined: 'Recusado pelo gateway',
  gateway_error: 'Erro no gateway',
  gateway_unknown: 'Resultado desconhecido no gateway',
  inquired: 'Gateway consultado',
  made_at_gateway: 'Feito no painel do gateway',
  contradicted: 'O gateway contradiz os registros',
  callback: 'Callback do gateway',
  chargeback: 'Chargeback',
  payment_pending: 'Aguardando pagamento',
  payment_underpaid: 'Parcialmente pago',
  payment_authorized: 'Pagamento autorizado',
  payment_approved: 'Pagamento aprovado',
  payment_paid: 'Pago',
  payment_failed: 'Falha no pagamento',
  payment_expired: 'Pagamento expirado',
  payment_canceled: 'Pagamento cancelado',
  payment_refunded: 'Pagamento estornado',
  desk_entered: 'Revisão manual iniciada',
  resolved: 'Resolvido por um operador',
  desk_left: 'Revisão manual encerrada',
  webhook_delivered: 'Webhook entregue',
  webhook_failed: 'Webhook não entregue',
};

export interface EntryText {
  readonly title: string;
  readonly details: readonly string[];
}

/** The API writes the timeline in English. In Portuguese each entry has a translated title above the original text. */
export function entryText({ kind, title, detail }: Entry): EntryText {
  const details = detail === null ? [] : [detail];
  if (language === 'en') return { title, details };
  return { title: PORTUGUESE_TITLES[kind] ?? title, details: [title, ...details] };
}

export const actorLabels: Readonly<Record<Entry['actor'], string>> = catalogue({
  en: {
    system: 'system',
    gateway: 'gateway',
    company: 'API key',
    admin: 'user',
    customer: 'customer',
  },
  pt: {
    system: 'sistema',
    gateway: 'gateway',
    company: 'chave de API',
    admin: 'usuário',
    customer: 'cliente',
  },
});

const TONES: Readonly<Record<string, Tone>> = {
  gateway_accepted: 'good',
  payment_approved: 'good',
  payment_paid: 'good',
  payment_authorized: 'good',
  webhook_delivered: 'good',
  gateway_declined: 'bad',
  gateway_error: 'bad',
  payment_failed: 'bad',
  payment_expired: 'bad',
  webhook_failed: 'bad',
  chargeback: 'bad',
  gateway_unknown: 'waiting',
  payment_pending: 'waiting',
  payment_underpaid: 'waiting',
  made_at_gateway: 'attention',
  contradicted: 'attention',
  desk_entered: 'attention',
  resolved: 'attention',
};

export function entryTone(kind: string): Tone {
  return TONES[kind] ?? 'neutral';
}
