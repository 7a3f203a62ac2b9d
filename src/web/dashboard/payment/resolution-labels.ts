import type { Schema } from '../../api/client';
import { money } from '../../ui/formats';
import { language } from '../../ui/language';
import { operationWords } from './attempt-labels';
import type { UserPayment } from './queries';

/** What a person is asked. The service asks in English; of the same facts the question is put in Portuguese here. */
export function questionWords(
  { question, operation, gateway, attempt_id: id }: Schema<'DeskQuestion'>,
  { attempts, payment: { currency } }: Pick<UserPayment, 'attempts' | 'payment'>,
): string {
  const attempt = attempts.find((known) => known.id === id);
  if (language === 'en' || attempt === undefined) return question;
  const { amount, reference } = attempt;
  return `${operationWords[operation]} de ${money(amount, currency)}: o que houve no ${gateway}? A referência lá é ${reference}.`;
}
