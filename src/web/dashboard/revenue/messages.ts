import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    title: 'Recurring revenue by month',
    hint: 'What active subscriptions pay in a month, and what changed it. Paused and past due ones pay nothing meanwhile.',
    month: 'Month',
    start: 'Start',
    new: 'New',
    expansion: 'Expansion',
    contraction: 'Contraction',
    churned: 'Churned',
    reactivated: 'Reactivated',
    end: 'End',
  },
  pt: {
    title: 'Receita recorrente por mês',
    hint: 'O que as assinaturas ativas pagam por mês e o que mudou. As pausadas e as em atraso não pagam nada nesse tempo.',
    month: 'Mês',
    start: 'Início',
    new: 'Novas',
    expansion: 'Expansão',
    contraction: 'Contração',
    churned: 'Perdida',
    reactivated: 'Retomada',
    end: 'Fim',
  },
});
