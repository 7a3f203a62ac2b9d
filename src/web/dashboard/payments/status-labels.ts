import type { Schema } from '../../api/client';
import type { Tone } from '../../ui/badge';
import { catalogue } from '../../ui/language';

export type PaymentStatus = Schema<'PaymentStatus'>;
export type PaymentMethod = Schema<'PaymentMethod'>;
export type FailureCode = NonNullable<Schema<'Payment'>['code']>;
export type GatewaySlug = Schema<'GatewaySlug'>;
export type PaymentAttention = Schema<'PaymentAttention'>;

export const PAYMENT_STATUSES = [
  'processing',
  'pending',
  'authorized',
  'approved',
  'failed',
  'canceled',
  'refunded',
] as const satisfies readonly PaymentStatus[];

export const PAYMENT_METHODS = ['card', 'pix', 'billet'] as const satisfies readonly PaymentMethod[];

export const PAYMENT_ATTENTIONS = [
  'overpaid',
  'underpaid',
  'disputed',
  'contradicted',
] as const satisfies readonly PaymentAttention[];

export const GATEWAYS = [
  'gateway_1',
  'gateway_2',
  'gateway_3',
  'gateway_4',
  'gateway_5',
  'gateway_6',
  'gateway_7',
] as const satisfies readonly GatewaySlug[];

export const statusLabels: Readonly<Record<PaymentStatus, string>> = catalogue({
  en: {
    processing: 'Processing',
    pending: 'Pending',
    authorized: 'Authorized',
    approved: 'Approved',
    failed: 'Failed',
    canceled: 'Canceled',
    refunded: 'Refunded',
  },
  pt: {
    processing: 'Processando',
    pending: 'Pendente',
    authorized: 'Autorizado',
    approved: 'Aprovado',
    failed: 'Falhou',
    canceled: 'Cancelado',
    refunded: 'Estornado',
  },
});

export const methodLabels: Readonly<Record<PaymentMethod, string>> = catalogue({
  en: { card: 'Card', pix: 'Pix', billet: 'Boleto' },
  pt: { card: 'Cartão', pix: 'Pix', billet: 'Boleto' },
});

export const attentionLabels: Readonly<Record<PaymentAttention, string>> = catalogue({
  en: {
    overpaid: 'Overpaid',
    underpaid: 'Underpaid',
    disputed: 'Disputed',
    contradicted: 'Contradicted by the gateway',
  },
  pt: {
    overpaid: 'Pago a mais',
    underpaid: 'Pago a menos',
    disputed: 'Contestado',
    contradicted: 'Contradito pelo gateway',
  },
});

export const failureCodeLabels: Readonly<Record<FailureCode, string>> = catalogue({
  en: {
    declined: 'Declined',
    expired: 'Expired',
    not_attempted: 'Not sent to a gateway',
    gateway_error: 'Gateway unavailable',
  },
  pt: {
    declined: 'Recusado',
    expired: 'Expirado',
    not_attempted: 'Não enviado a um gateway',
    gateway_error: 'Gateway indisponível',
  },
});

export const statusTones: Readonly<Record<PaymentStatus, Tone>> = {
  processing: 'info',
  pending: 'waiting',
  authorized: 'info',
  approved: 'good',
  failed: 'bad',
  canceled: 'neutral',
  refunded: 'neutral',
};
