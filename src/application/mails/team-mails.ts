import type { Mail, MailRecipient } from '../../domain/companies/mail';
import type { Language } from '../../domain/users/language';
import type { Role } from '../../domain/users/permission';

type Text = Omit<Mail, 'to'>;

/** The language of somebody without an account is not known, so an invitation has both texts. */
const BETWEEN = '----------';

const ROLE_NAMES: Readonly<Record<Role, string>> = {
  owner: 'proprietário',
  admin: 'administrador',
  support: 'suporte',
  analyst: 'analista',
  read_only: 'somente leitura',
};

interface InvitationMail {
  readonly to: string;
  readonly companyName: string;
  readonly role: Role;
  readonly token: string;
  readonly publicBaseUrl: string;
  readonly days: number;
}

/** The token is in the fragment, which browsers send to no server. */
export function invitationMail({ to, companyName, role, token, publicBaseUrl, days }: InvitationMail): Mail {
  const company = oneLine(companyName);
  const link = `${publicBaseUrl}/dashboard/accept-invitation#${token}`;
  return {
    to,
    subject: `Invitation to ${company} / Convite para ${company}`,
    text: [
      `${company} invites you to its payments dashboard, with the role ${role}. Choose a password here:`,
      link,
      `Or enter this token on the page: ${token}`,
      `The invitation is valid for ${days} days and works once. If you do not expect it, ignore this message.`,
      BETWEEN,
      `${company} convida você para o painel de pagamentos, com o papel ${ROLE_NAMES[role]}. Escolha uma senha aqui:`,
      link,
      `Ou informe este código na página: ${token}`,
      `O convite vale por ${days} dias e só pode ser usado uma vez. Se você não o esperava, ignore esta mensagem.`,
    ].join('\n\n'),
  };
}

export function roleChangedMail({ email, language }: MailRecipient, companyName: string, role: Role): Mail {
  const company = oneLine(companyName);
  const texts: Readonly<Record<Language, Text>> = {
    en: {
      subject: `Your role at ${company}`,
      text: `Your role at ${company} is now ${role}. You were signed out; sign in again.`,
    },
    pt: {
      subject: `Seu papel em ${company}`,
      text: `Seu papel em ${company} agora é ${ROLE_NAMES[role]}. Sua sessão foi encerrada; entre de novo.`,
    },
  };
  return { to: email, ...texts[language] };
}

export function removedMail({ email, language }: MailRecipient, companyName: string): Mail {
  const company = oneLine(companyName);
  const texts: Readonly<Record<Language, Text>> = {
    en: {
      subject: `Your access to ${company} has ended`,
      text: `Your account at ${company} was removed. You can no longer sign in with it.`,
    },
    pt: {
      subject: `Seu acesso a ${company} terminou`,
      text: `Sua conta em ${company} foi removida. Não é mais possível entrar com ela.`,
    },
  };
  return { to: email, ...texts[language] };
}

export function twoFactorResetMail(
  { email, language }: MailRecipient,
  companyName: string,
  by: 'owner' | 'operator',
): Mail {
  const company = oneLine(companyName);
  const [who, quem] = {
    owner: [`An owner of ${company}`, `Um proprietário de ${company}`],
    operator: ['The operator of this payments service', 'O operador deste serviço de pagamentos'],
  }[by];
  const texts: Readonly<Record<Language, Text>> = {
    en: {
      subject: `Your second factor at ${company} was reset`,
      text: `${who} turned off your second factor. Sign in with your password, and turn it on again.`,
    },
    pt: {
      subject: `Seu segundo fator em ${company} foi removido`,
      text: `${quem} desativou seu segundo fator. Entre com sua senha e ative-o de novo.`,
    },
  };
  return { to: email, ...texts[language] };
}

/** A company chooses its name, and these mails go to people who do not know it: nothing that looks like a text of ours. */
function oneLine(name: string): string {
  return name.replaceAll(/\p{C}|\s+/gu, ' ').slice(0, 80);
}
