import type { Tone } from '../../ui/badge';
import { catalogue } from '../../ui/language';

const WORDS: Readonly<Record<string, string>> = catalogue({
  en: {
    'subscription.created': 'Created',
    'subscription.trial_started': 'The trial began',
    'subscription.trial_ending': 'The trial ends soon',
    'subscription.activated': 'Active for the first time',
    'subscription.payment.success': 'A cycle was paid',
    'subscription.payment.failed': 'A charge failed',
    'subscription.payment.retry': 'Another try is planned',
    'subscription.card_expiring': 'The card expires soon',
    'subscription.paused': 'Paused',
    'subscription.resumed': 'It goes on',
    'subscription.plan_changed': 'The plan changes',
    'subscription.canceled': 'Canceled',
    'subscription.past_due': 'Past due: all tries are over',
  },
  pt: {
    'subscription.created': 'Criada',
    'subscription.trial_started': 'O teste começou',
    'subscription.trial_ending': 'O teste acaba em breve',
    'subscription.activated': 'Ativa pela primeira vez',
    'subscription.payment.success': 'Um ciclo foi pago',
    'subscription.payment.failed': 'Uma cobrança falhou',
    'subscription.payment.retry': 'Nova tentativa marcada',
    'subscription.card_expiring': 'O cartão vence em breve',
    'subscription.paused': 'Pausada',
    'subscription.resumed': 'Ela continua',
    'subscription.plan_changed': 'O plano muda',
    'subscription.canceled': 'Cancelada',
    'subscription.past_due': 'Em atraso: as tentativas acabaram',
  },
});

/** What was told, in words; an event that is newer than this page by its name. */
export function eventWords(type: string): string {
  return WORDS[type] ?? type;
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
};

export function eventTone(type: string): Tone {
  return TONES[type] ?? 'neutral';
}
