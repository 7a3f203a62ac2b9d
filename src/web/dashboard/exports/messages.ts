import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    export: 'Export CSV',
    cancel: 'Cancel export',
    progress: (rows: string, total: string) => `${rows} of ${total} rows`,
    done: (rows: string) => `Export complete. Rows: ${rows}.`,
  },
  pt: {
    export: 'Exportar CSV',
    cancel: 'Cancelar exportação',
    progress: (rows: string, total: string) => `${rows} de ${total} linhas`,
    done: (rows: string) => `Exportação concluída. Linhas: ${rows}.`,
  },
});
