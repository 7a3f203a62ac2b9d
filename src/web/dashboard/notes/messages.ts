import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    title: 'Notes',
    none: 'No notes.',
    add: 'Add note',
    text: 'New note',
    hint: 'Only your team reads it. No card numbers.',
    erased: 'Erased with the customer’s data.',
    older: 'Show older notes',
  },
  pt: {
    title: 'Anotações',
    none: 'Nenhuma anotação.',
    add: 'Adicionar anotação',
    text: 'Nova anotação',
    hint: 'Só a sua equipe lê. Sem números de cartão.',
    erased: 'Excluída com os dados do cliente.',
    older: 'Mostrar anotações mais antigas',
  },
});
