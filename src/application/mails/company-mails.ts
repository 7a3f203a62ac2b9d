import type { Mail, MailRecipient } from '../../domain/companies/mail';
import type { Language } from '../../domain/users/language';

type Text = Omit<Mail, 'to'>;
type DisabledReason = 'gone' | 'failing';

const REASONS: Readonly<Record<Language, Readonly<Record<DisabledReason, string>>>> = {
  en: { gone: 'The endpoint answered 410 Gone.', failing: 'Every attempt has failed for five days.' },
  pt: { gone: 'O endpoint respondeu 410 Gone.', failing: 'Há cinco dias todas as tentativas falham.' },
};

/** To an owner or admin: the service disabled a webhook endpoint of the company. */
export function endpointDisabledMail(
  { email, language }: MailRecipient,
  { id, url, reason }: { readonly id: number; readonly url: string; readonly reason: DisabledReason },
): Mail {
  const texts: Readonly<Record<Language, Text>> = {
    en: {
      subject: `Webhook endpoint ${id} was turned off`,
      text: lines(
        `We no longer send events to ${url}.`,
        REASONS.en[reason],
        '',
        'Its pending deliveries are marked as failed. Once the receiver works again, enable the endpoint and resend the',
        'deliveries, or read the missed events with GET /events.',
      ),
    },
    pt: {
      subject: `O endpoint de webhooks ${id} foi desativado`,
      text: lines(
        `Não enviamos mais eventos para ${url}.`,
        REASONS.pt[reason],
        '',
        'As entregas pendentes dele estão marcadas como falhas. Quando o receptor voltar a funcionar, ative o endpoint e',
        'reenvie as entregas, ou leia os eventos perdidos com GET /events.',
      ),
    },
  };
  return { to: email, ...texts[language] };
}

/** To an owner or admin: a gateway rejects the company's credentials. */
export function rejectedCredentialsMail({ email, language }: MailRecipient, slug: string): Mail {
  const texts: Readonly<Record<Language, Text>> = {
    en: {
      subject: `${slug} rejects your credentials`,
      text: lines(
        `A charge was not made, because ${slug} has rejected the credentials that are saved for it.`,
        'Until they are replaced, payments go to your other gateways. Without another gateway they fail, and so do the',
        'charges of subscriptions.',
        '',
        'Save new credentials with PUT /company/gateways.',
      ),
    },
    pt: {
      subject: `${slug} recusa suas credenciais`,
      text: lines(
        `Uma cobrança não foi feita, porque ${slug} recusou as credenciais salvas para ele.`,
        'Até que sejam trocadas, os pagamentos vão para seus outros gateways. Sem outro gateway eles falham, e também as',
        'cobranças de assinaturas.',
        '',
        'Salve novas credenciais com PUT /company/gateways.',
      ),
    },
  };
  return { to: email, ...texts[language] };
}

function lines(...text: readonly string[]): string {
  return text.join('\n');
}
