import type { Schema } from '../../api/client';
import type { Tone } from '../../ui/badge';
import { catalogue, language } from '../../ui/language';

type Entry = Schema<'TimelineEntry'>;

const KINDS_IN_PORTUGUESE: Readonly<Record<string, string>> = {
  created: 'Pagamento criado',
  routed: 'Gateway escolhido',
  failed_over: 'Passou a outro gateway',
  requested: 'Operação pedida',
  sent: 'Enviado ao gateway',
  not_sent: 'Não foi enviado',
  gateway_accepted: 'Aceito pelo gateway',
  gateway_declined: 'Recusado pelo gateway',
  gateway_error: 'Erro no gateway',
  gateway_unknown: 'Resultado em aberto no gateway',
  inquired: 'Gateway consultado',
  callback: 'Aviso do gateway',
  chargeback: 'Contestação',
  payment_pending: 'À espera do pagamento',
  payment_underpaid: 'Pago a menos',
  payment_authorized: 'Pagamento autorizado',
  payment_approved: 'Pagamento aprovado',
  payment_paid: 'Pago',
  payment_failed: 'Pagamento recusado',
  payment_expired: 'Pagamento expirado',
  payment_canceled: 'Pagamento cancelado',
  payment_refunded: 'Pagamento estornado',
  desk_entered: 'Uma pessoa é consultada',
  resolved: 'Uma pessoa respondeu',
  desk_left: 'Ninguém mais precisa responder',
  webhook_delivered: 'Webhook entregue',
  webhook_failed: 'Webhook não entregue',
};

export interface EntryWords {
  readonly title: string;
  readonly details: readonly string[];
}

/** The story is written in English; readers of Portuguese have its headlines in theirs, above what was written. */
export function entryWords({ kind, title, detail }: Entry): EntryWords {
  const details = detail === null ? [] : [detail];
  if (language === 'en') return { title, details };
  return { title: KINDS_IN_PORTUGUESE[kind] ?? title, details: [title, ...details] };
}

export const actorWords: Readonly<Record<Entry['actor'], string>> = catalogue({
  en: {
    system: 'this service',
    gateway: 'the gateway',
    company: 'a program of yours',
    admin: 'a user of yours',
    customer: 'the customer',
  },
  pt: {
    system: 'este serviço',
    gateway: 'o gateway',
    company: 'um programa seu',
    admin: 'um usuário seu',
    customer: 'o cliente',
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
  desk_entered: 'attention',
  resolved: 'attention',
};

export function entryTone(kind: string): Tone {
  return TONES[kind] ?? 'neutral';
}
