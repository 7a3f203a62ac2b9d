import type { Schema } from '../../api/client';
import type { Tone } from '../../ui/badge';
import { catalogue } from '../../ui/language';

type Attempt = Schema<'UserPaymentAttempt'>;

export const operationWords: Readonly<Record<Attempt['operation'], string>> = catalogue({
  en: {
    authorize: 'Authorization',
    charge: 'Charge',
    capture: 'Capture',
    cancel: 'Cancellation',
    refund: 'Refund',
    inquiry: 'Inquiry',
  },
  pt: {
    authorize: 'Autorização',
    charge: 'Cobrança',
    capture: 'Captura',
    cancel: 'Cancelamento',
    refund: 'Estorno',
    inquiry: 'Consulta',
  },
});

export const attemptStatusWords: Readonly<Record<Attempt['status'], string>> = catalogue({
  en: {
    requested: 'Not sent yet',
    sent: 'Under way',
    unknown: 'Outcome open',
    approved: 'Approved',
    authorized: 'Authorized',
    pending: 'Waits for the customer',
    declined: 'Declined',
    canceled: 'Canceled',
    refunded: 'Refunded',
    error: 'Error',
    abandoned: 'Never arrived',
  },
  pt: {
    requested: 'Ainda não enviado',
    sent: 'Em andamento',
    unknown: 'Resultado em aberto',
    approved: 'Aprovado',
    authorized: 'Autorizado',
    pending: 'À espera do cliente',
    declined: 'Recusado',
    canceled: 'Cancelado',
    refunded: 'Estornado',
    error: 'Erro',
    abandoned: 'Nunca chegou',
  },
});

export const attemptTones: Readonly<Record<Attempt['status'], Tone>> = {
  requested: 'info',
  sent: 'info',
  unknown: 'waiting',
  approved: 'good',
  authorized: 'good',
  pending: 'waiting',
  declined: 'bad',
  canceled: 'neutral',
  refunded: 'neutral',
  error: 'bad',
  abandoned: 'neutral',
};
