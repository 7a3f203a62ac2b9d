import type { Schema } from '../../api/client';
import type { Tone } from '../../ui/badge';
import { catalogue } from '../../ui/language';

export type Attempt = Schema<'UserPaymentAttempt'>;

export const operationLabels: Readonly<Record<Attempt['operation'], string>> = catalogue({
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

export const attemptStatusLabels: Readonly<Record<Attempt['status'], string>> = catalogue({
  en: {
    requested: 'Not sent yet',
    sent: 'In progress',
    unknown: 'Outcome unknown',
    accepted: 'Result comes later',
    approved: 'Approved',
    authorized: 'Authorized',
    pending: 'Waiting for the customer',
    declined: 'Declined',
    canceled: 'Canceled',
    refunded: 'Refunded',
    error: 'Error',
    abandoned: 'Not received',
  },
  pt: {
    requested: 'Ainda não enviado',
    sent: 'Em andamento',
    unknown: 'Resultado desconhecido',
    accepted: 'Resultado virá depois',
    approved: 'Aprovado',
    authorized: 'Autorizado',
    pending: 'Aguardando o cliente',
    declined: 'Recusado',
    canceled: 'Cancelado',
    refunded: 'Estornado',
    error: 'Erro',
    abandoned: 'Não recebido',
  },
});

export const attemptTones: Readonly<Record<Attempt['status'], Tone>> = {
  requested: 'info',
  sent: 'info',
  unknown: 'waiting',
  accepted: 'waiting',
  approved: 'good',
  authorized: 'good',
  pending: 'waiting',
  declined: 'bad',
  canceled: 'neutral',
  refunded: 'neutral',
  error: 'bad',
  abandoned: 'neutral',
};
