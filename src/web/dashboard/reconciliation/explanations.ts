import { catalogue } from '../../ui/language';
import type { DifferenceKind } from './labels';

interface Explanation {
  readonly means: string;
  readonly todo: string;
}

/** What a difference means, and what a person does about it. */
export const explanations: Readonly<Record<DifferenceKind, Explanation>> = catalogue({
  en: {
    charged_twice: {
      means:
        'The gateway has a charge with the reference of this payment, under another id than the one recorded here: it took the money twice.',
      todo: 'Search for the second id on the pages of the gateway and return that charge to the customer there. A refund here would return the first one.',
    },
    unknown_to_us: {
      means: 'The gateway has a charge or refund that the records lack.',
      todo: 'Search for its id at the gateway. It may have been made on the pages of the gateway, or by another system with the same account.',
    },
    missing_there: {
      means: 'The records expect this amount on this day, and no statement has it.',
      todo: 'Ask the gateway when it settles the amount. If it comes with a later statement, settle the difference then.',
    },
    status_differs: {
      means: 'The gateway settles a payment that is not paid in the records.',
      todo: 'Open the payment. It asks the gateway by itself; if it waits in manual review, resolve it there.',
    },
    amount_differs: {
      means: 'The lines of this amount do not add up to what the records have.',
      todo: 'Compare both amounts at the gateway, and ask it for the rest or for the reason.',
    },
    fee_differs: {
      means: 'The fee is not the part of the fee that the sale announced.',
      todo: 'Compare it with your contract, and ask the gateway to correct it.',
    },
    net_differs: {
      means: 'The net is not the amount less the fee.',
      todo: 'Ask the gateway what else it kept.',
    },
    currency_differs: {
      means: 'The line is in another currency than the payment. It was not posted.',
      todo: 'Ask the gateway which currency is right.',
    },
    installment_differs: {
      means: 'The line names another installment than the one that is due.',
      todo: 'Check at the gateway which installment was settled.',
    },
    wrong_day: {
      means: 'The line names another day than the expected one.',
      todo: 'Nothing, if the money came. Repeated early or late days are a question for the gateway.',
    },
    twice: {
      means: 'The account had this line before, or the amount was settled already.',
      todo: 'Check at the gateway whether the money came twice. If so, it will be taken back.',
    },
    unknown_dispute: {
      means: 'Money was taken for a dispute that was never reported here.',
      todo: 'Look for the dispute on the pages of the gateway, and answer it before its deadline.',
    },
    not_expected: {
      means: 'The ledger expects no such amount of this payment.',
      todo: 'Compare the payment with the gateway, and ask it what the line is about.',
    },
  },
  pt: {
    charged_twice: {
      means:
        'O gateway tem uma cobrança com a referência deste pagamento, com outro identificador que não o registrado aqui: cobrou duas vezes.',
      todo: 'Procure o segundo identificador nas páginas do gateway e devolva lá essa cobrança ao cliente. Um estorno aqui devolveria a primeira.',
    },
    unknown_to_us: {
      means: 'O gateway tem uma cobrança ou um estorno que falta nos registros.',
      todo: 'Procure o identificador no gateway. Pode ter sido feito nas páginas do gateway, ou por outro sistema com a mesma conta.',
    },
    missing_there: {
      means: 'Os registros esperam este valor neste dia, e nenhum extrato o tem.',
      todo: 'Pergunte ao gateway quando ele liquida o valor. Se vier em outro extrato, resolva a diferença então.',
    },
    status_differs: {
      means: 'O gateway liquida um pagamento que não consta como pago nos registros.',
      todo: 'Abra o pagamento. Ele consulta o gateway sozinho; se esperar em revisão manual, resolva-o lá.',
    },
    amount_differs: {
      means: 'As linhas deste valor não somam o que consta nos registros.',
      todo: 'Compare os dois valores no gateway e peça a ele o restante ou o motivo.',
    },
    fee_differs: {
      means: 'A taxa não é a parte da taxa que a venda anunciou.',
      todo: 'Compare com o seu contrato e peça a correção ao gateway.',
    },
    net_differs: {
      means: 'O líquido não é o valor menos a taxa.',
      todo: 'Pergunte ao gateway o que mais ele reteve.',
    },
    currency_differs: {
      means: 'A linha está em outra moeda que não a do pagamento. Não foi lançada.',
      todo: 'Pergunte ao gateway qual moeda está certa.',
    },
    installment_differs: {
      means: 'A linha indica outra parcela que não a devida.',
      todo: 'Verifique no gateway qual parcela foi liquidada.',
    },
    wrong_day: {
      means: 'A linha indica outro dia que não o esperado.',
      todo: 'Nada, se o dinheiro veio. Dias errados que se repetem são uma questão para o gateway.',
    },
    twice: {
      means: 'A conta já teve esta linha, ou o valor já foi liquidado.',
      todo: 'Verifique no gateway se o dinheiro veio duas vezes. Nesse caso, será descontado.',
    },
    unknown_dispute: {
      means: 'Foi debitado dinheiro por uma contestação que nunca foi informada aqui.',
      todo: 'Procure a contestação nas páginas do gateway e responda antes do prazo.',
    },
    not_expected: {
      means: 'O livro contábil não espera esse valor deste pagamento.',
      todo: 'Compare o pagamento com o gateway e pergunte a ele do que trata a linha.',
    },
  },
});
