import type { Schema } from '../../api/client';
import type { Tone } from '../../ui/badge';
import { catalogue } from '../../ui/language';

export type SubscriptionStatus = Schema<'SubscriptionStatus'>;

export const SUBSCRIPTION_STATUSES = [
  'active',
  'trialing',
  'pending',
  'past_due',
  'paused',
  'canceled',
] as const satisfies readonly SubscriptionStatus[];

export const statusLabels: Readonly<Record<SubscriptionStatus, string>> = catalogue({
  en: {
    pending: 'Pending',
    trialing: 'Trialing',
    active: 'Active',
    past_due: 'Past due',
    paused: 'Paused',
    canceled: 'Canceled',
  },
  pt: {
    pending: 'Pendente',
    trialing: 'Em teste',
    active: 'Ativa',
    past_due: 'Em atraso',
    paused: 'Pausada',
    canceled: 'Cancelada',
  },
});

export const statusTones: Readonly<Record<SubscriptionStatus, Tone>> = {
  pending: 'waiting',
  trialing: 'info',
  active: 'good',
  past_due: 'bad',
  paused: 'waiting',
  canceled: 'neutral',
};
