import { catalogue } from '../../ui/language';

export const messages = catalogue({
  en: {
    title: 'Resolve manually',
    warning: (gateway: string) =>
      `Check the operation in ${gateway}’s own dashboard first. Your answer updates the payment and is recorded in the audit log.`,
    outcome: 'Outcome at the gateway',
    outcomes: {
      paid: { label: 'Completed', hint: 'The gateway shows the operation as completed.' },
      absent: {
        label: 'Not received',
        hint: 'Only if you are sure that the gateway has no record of it. Otherwise the customer may be charged twice.',
      },
      retry: { label: 'Query the gateway again', hint: 'The status inquiries start again automatically.' },
    },
    confirmFound: {
      label: 'Confirmed',
      hint: 'You have checked it at the gateway. The records do not change, and the review ends.',
    },
    reason: 'Reason',
    reasonHint: 'How you verified the outcome; recorded in the audit log',
    gatewayId: 'Gateway transaction ID',
    gatewayIdHint: 'Used for later captures and refunds.',
    submit: 'Confirm resolution',
    done: 'Resolution accepted.',
  },
  pt: {
    title: 'Resolver manualmente',
    warning: (gateway: string) =>
      `Confira antes a operação no painel do próprio ${gateway}. Sua resposta atualiza o pagamento e fica registrada na auditoria.`,
    outcome: 'Resultado no gateway',
    outcomes: {
      paid: { label: 'Concluída', hint: 'O gateway mostra a operação como concluída.' },
      absent: {
        label: 'Não recebida',
        hint: 'Só se você tem certeza de que o gateway não tem registro dela. Senão o cliente pode ser cobrado duas vezes.',
      },
      retry: { label: 'Consultar o gateway de novo', hint: 'As consultas recomeçam automaticamente.' },
    },
    confirmFound: {
      label: 'Confirmado',
      hint: 'Você conferiu no gateway. Os registros não mudam, e a revisão é encerrada.',
    },
    reason: 'Motivo',
    reasonHint: 'Como você verificou o resultado; fica registrado na auditoria',
    gatewayId: 'ID da transação no gateway',
    gatewayIdHint: 'Usado em capturas e estornos posteriores.',
    submit: 'Confirmar resolução',
    done: 'Resolução aceita.',
  },
});
