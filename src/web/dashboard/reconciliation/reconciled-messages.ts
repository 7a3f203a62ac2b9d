import { catalogue } from '../../ui/language';

/** Those that the overview needs, too. */
export const reconciled = catalogue({
  en: {
    until: (day: string) => `Reconciled to the cent until ${day}`,
    notYet: 'Not reconciled to the cent yet',
    openCount: (count: number, shown: string) =>
      count === 1 ? '1 open difference' : `${shown} open differences`,
  },
  pt: {
    until: (day: string) => `Conciliado até o centavo até ${day}`,
    notYet: 'Ainda não conciliado até o centavo',
    openCount: (count: number, shown: string) =>
      count === 1 ? '1 diferença aberta' : `${shown} diferenças abertas`,
  },
});
