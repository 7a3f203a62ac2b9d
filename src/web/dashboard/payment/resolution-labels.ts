import type { Schema } from '../../api/client';
import { money } from '../../ui/formats';
import { language } from '../../ui/language';
import { operationLabels } from './attempt-labels';
import type { UserPayment } from './queries';

/** The question to the operator. The API asks in English; Portuguese is built here from the same data. */
export function resolutionQuestion(
  { question, operation, gateway, attempt_id: id }: Schema<'DeskQuestion'>,
  { attempts, payment: { currency } }: Pick<UserPayment, 'attempts' | 'payment'>,
): string {
  const attempt = attempts.find((item) => item.id === id);
  if (language === 'en' || attempt === undefined) return question;
  const { amount, reference } = attempt;
  return `${operationLabels[operation]} de ${money(amount, currency)}: qual foi o resultado no ${gateway}? Nossa referência: ${reference}.`;
}
