import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    export: 'Export CSV',
    cancel: 'Cancel export',
    progress: (rows: string, total: string) => `${rows} of ${total} rows`,
    rows: (rows: string) => `${rows} rows`,
    done: (rows: string) => `Export complete. Rows: ${rows}.`,
    kinds: {
      payments: 'Payments',
      refunds: 'Refunds',
      splits: 'Splits',
      subscriptions: 'Subscriptions',
      events: 'Events',
    },
    hints: {
      payments: 'As in this list',
      refunds: 'By the dates and the gateway chosen',
      splits: 'By the dates and the gateway chosen',
      subscriptions: 'As in this list',
      events: 'All',
    },
  },
  pt: {
    export: 'Exportar CSV',
    cancel: 'Cancelar exportação',
    progress: (rows: string, total: string) => `${rows} de ${total} linhas`,
    rows: (rows: string) => `${rows} linhas`,
    done: (rows: string) => `Exportação concluída. Linhas: ${rows}.`,
    kinds: {
      payments: 'Pagamentos',
      refunds: 'Estornos',
      splits: 'Divisões',
      subscriptions: 'Assinaturas',
      events: 'Eventos',
    },
    hints: {
      payments: 'Como nesta lista',
      refunds: 'Pelas datas e pelo gateway escolhidos',
      splits: 'Pelas datas e pelo gateway escolhidos',
      subscriptions: 'Como nesta lista',
      events: 'Todos',
    },
  },
});
