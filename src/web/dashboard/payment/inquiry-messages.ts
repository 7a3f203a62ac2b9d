import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    ask: 'Ask the gateway now',
    asking: 'Asking the gateway…',
    justAsked: 'The gateway was asked less than 30 seconds ago.',
    outcomes: {
      changed: (at: string) => `Asked at ${at}: the answer brought news.`,
      unchanged: (at: string) => `Asked at ${at}: nothing has changed.`,
      not_found: (at: string) => `Asked at ${at}: the gateway does not know this operation so far.`,
      no_answer: (at: string) =>
        `Asked at ${at}: the gateway gave no certain answer. It will be asked again.`,
    },
  },
  pt: {
    ask: 'Consultar o gateway agora',
    asking: 'Consultando o gateway…',
    justAsked: 'O gateway foi consultado há menos de 30 segundos.',
    outcomes: {
      changed: (at: string) => `Consultado em ${at}: a resposta trouxe novidades.`,
      unchanged: (at: string) => `Consultado em ${at}: nada mudou.`,
      not_found: (at: string) => `Consultado em ${at}: o gateway ainda não conhece esta operação.`,
      no_answer: (at: string) =>
        `Consultado em ${at}: o gateway não deu uma resposta certa. Ele será consultado de novo.`,
    },
  },
});
