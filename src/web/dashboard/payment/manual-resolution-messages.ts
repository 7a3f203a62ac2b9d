import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    title: 'Say what became of it',
    look: (gateway: string) =>
      `Look at ${gateway}’s own pages first. Your word moves money, and stands in the audit log.`,
    outcome: 'What you saw',
    outcomes: {
      paid: { label: 'It was done', about: 'The gateway shows the operation as carried out.' },
      absent: {
        label: 'It never arrived',
        about: 'Only if the gateway certainly has nothing of it: a charge that was made would be made twice.',
      },
      retry: { label: 'Ask the gateway again', about: 'From the beginning, by itself.' },
    },
    reason: 'How do you know?',
    reasonAbout: 'For whoever reads it later',
    gatewayId: 'Its id at the gateway',
    gatewayIdAbout: 'Later captures and refunds act on it.',
    deed: 'This is what I saw',
    done: 'Your answer is taken up.',
  },
  pt: {
    title: 'Diga o que foi feito dele',
    look: (gateway: string) =>
      `Veja antes as páginas do próprio ${gateway}. Sua palavra move dinheiro e fica na auditoria.`,
    outcome: 'O que você viu',
    outcomes: {
      paid: { label: 'Foi feito', about: 'O gateway mostra a operação como realizada.' },
      absent: {
        label: 'Nunca chegou',
        about: 'Só se o gateway com certeza não tem nada disso: uma cobrança feita seria feita de novo.',
      },
      retry: { label: 'Perguntar de novo ao gateway', about: 'Desde o início, sem você.' },
    },
    reason: 'Como você sabe?',
    reasonAbout: 'Para quem ler depois',
    gatewayId: 'O id no gateway',
    gatewayIdAbout: 'Capturas e estornos posteriores agem sobre ele.',
    deed: 'Foi isto que eu vi',
    done: 'Sua resposta foi aceita.',
  },
});
