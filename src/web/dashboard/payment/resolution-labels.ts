import type { Schema } from '../../api/client';
import { money } from '../../ui/formats';
import { language } from '../../ui/language';
import { operationLabels, type Attempt } from './attempt-labels';
import type { UserPayment } from './queries';

type Payment = UserPayment['payment'];

/** The question to the operator. The API asks in English; Portuguese is built here from the same data. */
export function resolutionQuestion(
  { question, gateway, attempt_id: id }: Schema<'ManualReviewQuestion'>,
  { attempts, payment }: Pick<UserPayment, 'attempts' | 'payment'>,
): string {
  const attempt = attempts.find((item) => item.id === id);
  if (language === 'en' || attempt === undefined) return question;
  const { operation, amount, reference, response_message: message } = attempt;
  const what = `${operationLabels[operation]} de ${money(amount, payment.currency)}`;
  if (attempt.purpose === 'external') {
    return operation === 'inquiry'
      ? `O ${gateway} contradiz os registros: ${message ?? ''} Qual está certo?`
      : `${what}: feito no ${gateway} e não solicitado aqui. Já está registrado. Está certo?`;
  }
  if (attempt.status === 'pending') return whetherPaid(gateway, attempt, payment);
  return `${what}: qual foi o resultado no ${gateway}? Nossa referência: ${reference}.`;
}

function whetherPaid(gateway: string, { amount }: Attempt, payment: Payment): string {
  const held = (payment.paid_amount ?? 0) - payment.refunded_amount;
  if (held === 0) return `Foi pago a tempo? As consultas ao ${gateway} são inconclusivas.`;
  const part = `${money(held, payment.currency)} de ${money(amount, payment.currency)}`;
  return `Recebido: ${part}. Aceitar como pago? Caso contrário, estorne.`;
}
