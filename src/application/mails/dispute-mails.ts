import type { Mail, MailRecipient } from '../../domain/companies/mail';
import type { DisputeKind } from '../../domain/disputes/dispute';
import type { DueDisputeMail } from '../../domain/disputes/dispute-mail';
import { currencyDecimals, majorUnits } from '../../domain/shared/currency';
import type { Language } from '../../domain/users/language';

const KINDS: Readonly<Record<Language, Readonly<Record<DisputeKind, string>>>> = {
  en: {
    chargeback: 'a chargeback',
    retrieval: 'a request for documents',
    med: 'a special return of a Pix (MED)',
  },
  pt: {
    chargeback: 'um chargeback',
    retrieval: 'um pedido de documentos',
    med: 'uma devolução especial de Pix (MED)',
  },
};
const LOCALES: Readonly<Record<Language, string>> = { en: 'en', pt: 'pt-BR' };

const ANSWER: Readonly<Record<Language, string>> = {
  en: 'Submit evidence, or accept the dispute:',
  pt: 'Envie provas ou aceite a contestação:',
};

/** To an owner or admin: a dispute waits for an answer of the company. It names no customer. */
export function disputeMail(
  { email, language }: MailRecipient,
  dispute: DueDisputeMail,
  publicBaseUrl: string,
): Mail {
  const { id, transactionId, kind, reasonCode, mail } = dispute;
  const amount = amountOf(dispute, language);
  const due = dispute.evidenceDueAt && instant(dispute.evidenceDueAt);
  const link = `${publicBaseUrl}/dashboard/disputes/${id}`;
  const texts: Readonly<Record<Language, Omit<Mail, 'to'>>> = {
    en: {
      subject: mail === 'opened' ? `A payment of ${amount} is disputed` : `Evidence is due by ${due}`,
      text: lines(
        `Payment ${transactionId} has ${KINDS.en[kind]} of ${amount}.`,
        reasonCode && `Reason code: ${reasonCode}.`,
        due === null
          ? 'The gateway names no deadline for evidence.'
          : `Evidence can be submitted until ${due}.`,
        '',
        kind === 'med' ? 'The banks decide about it. What they return is shown here:' : ANSWER.en,
        link,
      ),
    },
    pt: {
      subject:
        mail === 'opened' ? `Um pagamento foi contestado: ${amount}` : `O prazo para enviar provas é ${due}`,
      text: lines(
        `O pagamento ${transactionId} tem ${KINDS.pt[kind]} de ${amount}.`,
        reasonCode && `Código do motivo: ${reasonCode}.`,
        due === null
          ? 'O gateway não informa um prazo para provas.'
          : `Provas podem ser enviadas até ${due}.`,
        '',
        kind === 'med' ? 'Os bancos decidem. O que eles devolverem aparece aqui:' : ANSWER.pt,
        link,
      ),
    },
  };
  return { to: email, ...texts[language] };
}

function amountOf({ amountCents, currency }: DueDisputeMail, language: Language): string {
  const digits = currencyDecimals(currency);
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
    .format(majorUnits(amountCents, currency))
    .replaceAll('\u00A0', ' ');
}

function instant(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function lines(...text: readonly (string | null)[]): string {
  return text.filter((line) => line !== null).join('\n');
}
