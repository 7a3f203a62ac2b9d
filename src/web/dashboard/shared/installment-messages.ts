import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    title: 'Installments at the checkout',
    max: 'Maximum installments',
    maxHint: '1: no installments',
    min: 'Smallest installment',
    interest: 'Interest is paid by',
    payers: { merchant: 'The company', buyer: 'The buyer' },
    companyDefault: (value: string) => `Company setting: ${value}`,
    emptyMeans: (value: string) => `Empty: ${value}, as in the settings`,
    rates: 'Interest by number of installments',
    ratesHint: 'In % of the price, for all installments together. Empty: not offered.',
    inheritedRates: 'All empty: as in the settings.',
    rate: (count: number) => `${count} ×`,
  },
  pt: {
    title: 'Parcelas no checkout',
    max: 'Máximo de parcelas',
    maxHint: '1: sem parcelamento',
    min: 'Menor parcela',
    interest: 'Quem paga os juros',
    payers: { merchant: 'A empresa', buyer: 'O comprador' },
    companyDefault: (value: string) => `Configuração da empresa: ${value}`,
    emptyMeans: (value: string) => `Vazio: ${value}, como nas configurações`,
    rates: 'Juros por número de parcelas',
    ratesHint: 'Em % do preço, para todas as parcelas juntas. Vazio: não é oferecido.',
    inheritedRates: 'Tudo vazio: como nas configurações.',
    rate: (count: number) => `${count}x`,
  },
});
