import type { Schema } from '../../../api/client';
import type { Tone } from '../../../ui/badge';
import { catalogue } from '../../../ui/language';

type Entry = Schema<'TimelineEntry'>;
/** Deliveries are shown as a whole, not by their attempts. */
export type EntryKind = Exclude<Entry['kind'], 'webhook_delivered' | 'webhook_failed'>;

type Title = (operation: string, gateway: string) => string;

/** Titles of entries. `operation`: its name at the start of a sentence. */
export const titles: Readonly<Record<EntryKind, Title>> = catalogue<Record<EntryKind, Title>>({
  en: {
    created: () => 'Payment created',
    routed: (_, gateway) => `Routed to ${gateway}`,
    failed_over: (_, gateway) => `Failed over to ${gateway}`,
    requested: (operation) => `${operation} requested`,
    sent: (operation, gateway) => `${operation} sent to ${gateway}`,
    not_sent: (operation, gateway) => `${operation} did not reach ${gateway}`,
    gateway_accepted: (operation, gateway) => `${operation} accepted by ${gateway}`,
    gateway_declined: (operation, gateway) => `${operation} declined by ${gateway}`,
    gateway_error: (operation, gateway) => `${operation} failed at ${gateway}`,
    gateway_unknown: (operation, gateway) => `${operation}: outcome at ${gateway} unknown`,
    inquiry_requested: () => 'Inquiry requested',
    inquired: (_, gateway) => `${gateway} told the state`,
    made_at_gateway: (operation, gateway) => `${operation} made at ${gateway}, not requested here`,
    contradicted: (_, gateway) => `${gateway} contradicts the records`,
    callback: (_, gateway) => `Callback from ${gateway}`,
    chargeback: (_, gateway) => `Chargeback notice from ${gateway}`,
    payment_pending: () => 'Waiting for the customer to pay',
    payment_underpaid: () => 'Partially paid',
    payment_authorized: () => 'Payment authorized',
    payment_approved: () => 'Payment approved',
    payment_paid: () => 'Paid',
    payment_failed: () => 'Payment failed',
    payment_expired: () => 'Payment expired',
    payment_canceled: () => 'Payment canceled',
    payment_refunded: () => 'Payment refunded',
    desk_entered: () => 'Manual review started',
    resolved: () => 'Resolved by an operator',
    desk_left: () => 'Manual review ended',
  },
  pt: {
    created: () => 'Pagamento criado',
    routed: (_, gateway) => `Encaminhado a ${gateway}`,
    failed_over: (_, gateway) => `Encaminhado a outro gateway: ${gateway}`,
    requested: (operation) => `${operation}: solicitação recebida`,
    sent: (operation, gateway) => `${operation}: enviado a ${gateway}`,
    not_sent: (operation, gateway) => `${operation}: não chegou a ${gateway}`,
    gateway_accepted: (operation, gateway) => `${operation}: aceito por ${gateway}`,
    gateway_declined: (operation, gateway) => `${operation}: recusado por ${gateway}`,
    gateway_error: (operation, gateway) => `${operation}: falha em ${gateway}`,
    gateway_unknown: (operation, gateway) => `${operation}: resultado em ${gateway} desconhecido`,
    inquiry_requested: () => 'Consulta ao gateway solicitada',
    inquired: (_, gateway) => `${gateway} informou a situação`,
    made_at_gateway: (operation, gateway) => `${operation}: feito em ${gateway}, não solicitado aqui`,
    contradicted: (_, gateway) => `${gateway} contradiz os registros`,
    callback: (_, gateway) => `Callback de ${gateway}`,
    chargeback: (_, gateway) => `Aviso de chargeback de ${gateway}`,
    payment_pending: () => 'Aguardando o pagamento do cliente',
    payment_underpaid: () => 'Parcialmente pago',
    payment_authorized: () => 'Pagamento autorizado',
    payment_approved: () => 'Pagamento aprovado',
    payment_paid: () => 'Pago',
    payment_failed: () => 'Falha no pagamento',
    payment_expired: () => 'Pagamento expirado',
    payment_canceled: () => 'Pagamento cancelado',
    payment_refunded: () => 'Pagamento estornado',
    desk_entered: () => 'Revisão manual iniciada',
    resolved: () => 'Resolvido por um operador',
    desk_left: () => 'Revisão manual encerrada',
  },
});

export const messages = catalogue({
  en: {
    order: (order: string) => `order ${order}`,
    by: (email: string) => `by ${email}`,
    captureBefore: (at: string) => `capture before ${at}`,
    paidOf: (paid: string, total: string) => `${paid} of ${total}`,
    sentTimes: (count: number) => `sent ${count} times`,
    signed: 'signed',
    unsigned: 'unsigned, treated as a hint',
    delivered: (event: string) => `${event} delivered`,
    notDelivered: (event: string) => `${event} not delivered`,
    beingDelivered: (event: string) => `${event} being delivered`,
    attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    lastResponse: (status: number) => `last response ${status}`,
    noResponse: 'no response',
    nextAt: (at: string) => `next at ${at}`,
  },
  pt: {
    order: (order: string) => `pedido ${order}`,
    by: (email: string) => `por ${email}`,
    captureBefore: (at: string) => `capturar até ${at}`,
    paidOf: (paid: string, total: string) => `${paid} de ${total}`,
    sentTimes: (count: number) => `enviado ${count} vezes`,
    signed: 'assinado',
    unsigned: 'sem assinatura, tratado como indício',
    delivered: (event: string) => `${event} entregue`,
    notDelivered: (event: string) => `${event} não entregue`,
    beingDelivered: (event: string) => `${event} em entrega`,
    attempts: (count: number) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
    lastResponse: (status: number) => `última resposta ${status}`,
    noResponse: 'sem resposta',
    nextAt: (at: string) => `próxima em ${at}`,
  },
});

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

const TONES: Readonly<Partial<Record<EntryKind, Tone>>> = {
  gateway_accepted: 'good',
  payment_approved: 'good',
  payment_paid: 'good',
  payment_authorized: 'good',
  gateway_declined: 'bad',
  gateway_error: 'bad',
  payment_failed: 'bad',
  payment_expired: 'bad',
  chargeback: 'bad',
  gateway_unknown: 'waiting',
  payment_pending: 'waiting',
  payment_underpaid: 'waiting',
  made_at_gateway: 'attention',
  contradicted: 'attention',
  desk_entered: 'attention',
  resolved: 'attention',
};

export function entryTone(kind: EntryKind): Tone {
  return TONES[kind] ?? 'neutral';
}
