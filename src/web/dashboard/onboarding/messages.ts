import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    title: 'First steps',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    dismiss: 'Dismiss the first steps',
    done: 'Done',
    toDo: 'To do',
    inTestData: 'Try this with test data: switch to it at the top.',
    steps: {
      connect_gateway: {
        title: 'Connect a gateway',
        hint: 'Enter the credentials of your account. The gateway is asked whether it accepts them.',
      },
      make_payment: {
        title: 'Make a test payment',
        hint: 'R$19.90 with a test card, on the way that every payment takes. No money moves.',
      },
      receive_webhook: {
        title: 'Receive a webhook',
        hint: 'Your systems learn of payments by webhooks. Look at them here, before you build your own receiver.',
      },
      share_link: {
        title: 'Share a payment link',
        hint: 'A page where a customer pays. Done once somebody starts to pay on it.',
      },
    },
    noGateways: 'All gateways are connected.',
    pay: 'Make a test payment',
    payAgain: 'Make another test payment',
    paid: 'View the payment',
    pending: 'The gateway has not answered yet.',
    addReceiver: 'Add a test receiver',
    look: 'Look at the webhooks',
    createLink: 'New link',
    linkAddress: 'Address of the payment link',
    openLink: 'Open',
    allLinks: 'All payment links',
  },
  pt: {
    title: 'Primeiros passos',
    progress: (done: number, all: number) => `${done} de ${all} concluídos`,
    dismiss: 'Dispensar os primeiros passos',
    done: 'Concluído',
    toDo: 'A fazer',
    inTestData: 'Faça isto com dados de teste: mude para eles no topo.',
    steps: {
      connect_gateway: {
        title: 'Conecte um gateway',
        hint: 'Informe as credenciais da sua conta. O gateway é consultado para saber se as aceita.',
      },
      make_payment: {
        title: 'Faça um pagamento de teste',
        hint: 'R$ 19,90 com um cartão de teste, pelo caminho de todo pagamento. Nenhum dinheiro se move.',
      },
      receive_webhook: {
        title: 'Receba um webhook',
        hint: 'Seus sistemas sabem dos pagamentos por webhooks. Veja-os aqui antes de criar o seu receptor.',
      },
      share_link: {
        title: 'Compartilhe um link de pagamento',
        hint: 'Uma página em que o cliente paga. Concluído quando alguém começa a pagar nela.',
      },
    },
    noGateways: 'Todos os gateways estão conectados.',
    pay: 'Fazer um pagamento de teste',
    payAgain: 'Fazer outro pagamento de teste',
    paid: 'Ver o pagamento',
    pending: 'O gateway ainda não respondeu.',
    addReceiver: 'Adicionar receptor de teste',
    look: 'Ver os webhooks',
    createLink: 'Novo link',
    linkAddress: 'Endereço do link de pagamento',
    openLink: 'Abrir',
    allLinks: 'Todos os links de pagamento',
  },
});
