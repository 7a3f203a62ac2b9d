import type { Schema } from '../../api/client';
import type { Tone } from '../../ui/badge';
import { catalogue, language } from '../../ui/language';
import { PORTUGUESE_DECLINES } from '../overview/portuguese-declines';

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

/** By error family. In Portuguese only: in English the gateway's own words are shown. */
const PORTUGUESE_ERRORS: Readonly<Record<string, string>> = {
  not_sent: 'não enviado',
  rate_limited: 'recusado por excesso de solicitações',
  bad_credentials: 'credenciais recusadas',
  unsupported: 'não aceito pelo gateway',
  invalid_request: 'solicitação recusada pelo gateway',
  ambiguous: 'nenhuma resposta que diga o resultado',
};

const PORTUGUESE_DECLINE_TYPES: Readonly<Record<NonNullable<Attempt['decline_type']>, string>> = {
  soft: 'recusado, pode ser aceito mais tarde',
  hard: 'recusado, não será aceito mais tarde',
  fraud: 'recusado por suspeita de fraude',
  auth_required: 'exige autenticação do portador',
};

/** What a gateway answered besides its code, in the user's language. Null if the state tells it all. */
export function responseText(attempt: Attempt): string | null {
  const { response_message: message, decline_type: declineType, error_family: family } = attempt;
  if (language === 'en') return message;
  if (message !== null && message in PORTUGUESE_DECLINES) return PORTUGUESE_DECLINES[message] ?? null;
  if (family !== null) return PORTUGUESE_ERRORS[family] ?? null;
  return declineType === null ? null : PORTUGUESE_DECLINE_TYPES[declineType];
}

/** The gateway's own words, where `responseText` does not show them. */
export function gatewayWords(attempt: Attempt): string | null {
  return language === 'en' ? null : attempt.response_message;
}
