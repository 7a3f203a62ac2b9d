import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    title: 'Traffic of the rules',
    hint: 'Charges of the last 30 days, by the name that the rule had then.',
    none: 'No charges in the last 30 days.',
    rule: 'Rule',
    charges: 'Charges',
    share: 'Share',
    rate: 'Approval rate',
    noRule: 'No rule matched',
    former: 'renamed or removed',
  },
  pt: {
    title: 'Tráfego das regras',
    hint: 'Cobranças dos últimos 30 dias, pelo nome que a regra tinha na época.',
    none: 'Nenhuma cobrança nos últimos 30 dias.',
    rule: 'Regra',
    charges: 'Cobranças',
    share: 'Parte',
    rate: 'Taxa de aprovação',
    noRule: 'Nenhuma regra correspondeu',
    former: 'renomeada ou removida',
  },
});
