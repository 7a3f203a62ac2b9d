import type { Tone } from '../../ui/badge';
import { catalogue } from '../../ui/language';

const LABELS: Readonly<Record<string, string>> = catalogue({
  en: {
    'subscription.created': 'Created',
    'subscription.trial_started': 'Trial started',
    'subscription.trial_ending': 'Trial ending soon',
    'subscription.activated': 'Activated',
    'subscription.payment.success': 'Charge paid',
    'subscription.payment.failed': 'Charge failed',
    'subscription.payment.retry': 'Retry scheduled',
    'subscription.payment.delayed': 'Charge delayed: no issuer responds',
    'subscription.card_expiring': 'Card expiring soon',
    'subscription.card_changed': 'Card changed',
    'subscription.paused': 'Paused',
    'subscription.resumed': 'Resumed',
    'subscription.plan_changed': 'Plan changed',
    'subscription.plan_change_withdrawn': 'Scheduled plan change withdrawn',
    'subscription.cancel_scheduled': 'Cancellation scheduled',
    'subscription.uncanceled': 'Cancellation revoked',
    'subscription.canceled': 'Canceled',
    'subscription.past_due': 'Past due: all retries failed',
  },
  pt: {
    'subscription.created': 'Criada',
    'subscription.trial_started': 'Teste iniciado',
    'subscription.trial_ending': 'Teste termina em breve',
    'subscription.activated': 'Ativada',
    'subscription.payment.success': 'Cobrança paga',
    'subscription.payment.failed': 'Cobrança falhou',
    'subscription.payment.retry': 'Nova tentativa agendada',
    'subscription.payment.delayed': 'Cobrança atrasada: nenhum emissor responde',
    'subscription.card_expiring': 'Cartão vence em breve',
    'subscription.card_changed': 'Cartão trocado',
    'subscription.paused': 'Pausada',
    'subscription.resumed': 'Retomada',
    'subscription.plan_changed': 'Plano alterado',
    'subscription.plan_change_withdrawn': 'Mudança de plano agendada desfeita',
    'subscription.cancel_scheduled': 'Cancelamento agendado',
    'subscription.uncanceled': 'Cancelamento revertido',
    'subscription.canceled': 'Cancelada',
    'subscription.past_due': 'Em atraso: todas as tentativas falharam',
  },
});

/** Label of an event. An event unknown to this build is shown by its name. */
export function eventLabel(type: string): string {
  return LABELS[type] ?? type;
}

const TONES: Readonly<Record<string, Tone>> = {
  'subscription.activated': 'good',
  'subscription.payment.success': 'good',
  'subscription.resumed': 'good',
  'subscription.payment.failed': 'bad',
  'subscription.past_due': 'bad',
  'subscription.payment.retry': 'waiting',
  'subscription.paused': 'waiting',
  'subscription.trial_ending': 'waiting',
  'subscription.card_expiring': 'attention',
  'subscription.payment.delayed': 'attention',
};

export function eventTone(type: string): Tone {
  return TONES[type] ?? 'neutral';
}
