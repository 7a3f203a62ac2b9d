import type { Mail, MailRecipient } from '../../domain/companies/mail';
import type { Language } from '../../domain/users/language';

interface TokenMail {
  readonly token: string;
  readonly minutes: number;
}

type Text = Omit<Mail, 'to'>;

/** With the token that proves that the user reads mail at the address. */
export function verificationMail({ email, language }: MailRecipient, { token, minutes }: TokenMail): Mail {
  const texts: Readonly<Record<Language, Text>> = {
    en: {
      subject: 'Verify your email address',
      text: paragraphs(
        'An account was registered with this address. If it is yours, enter this token where you are signed in:',
        token,
        `It is valid for ${minutes} minutes and works once.`,
        'If the account is not yours, do not give the token to anybody. You can take the account over by resetting its password.',
      ),
    },
    pt: {
      subject: 'Confirme seu endereço de e-mail',
      text: paragraphs(
        'Uma conta foi cadastrada com este endereço. Se ela é sua, informe este código onde você está conectado:',
        token,
        `Ele vale por ${minutes} minutos e só pode ser usado uma vez.`,
        'Se a conta não é sua, não dê o código a ninguém. Você pode assumir a conta redefinindo a senha dela.',
      ),
    },
  };
  return { to: email, ...texts[language] };
}

/** With the token that sets a new password. */
export function passwordResetMail({ email, language }: MailRecipient, { token, minutes }: TokenMail): Mail {
  const texts: Readonly<Record<Language, Text>> = {
    en: {
      subject: 'Your password reset token',
      text: paragraphs(
        'A password reset was requested for this address.',
        `Use this token within ${minutes} minutes to set a new password. It works once:`,
        token,
        'If you have never verified this address, the reset also revokes the API keys of your company, and disables its webhook endpoints and gateways.',
        'If you did not request this, ignore this message. Your password stays unchanged.',
      ),
    },
    pt: {
      subject: 'Seu código para redefinir a senha',
      text: paragraphs(
        'Foi pedida a redefinição da senha da conta deste endereço.',
        `Use este código em até ${minutes} minutos para definir uma nova senha. Ele só pode ser usado uma vez:`,
        token,
        'Se você nunca confirmou este endereço, a redefinição também revoga as chaves de API da sua empresa e desativa os webhooks e os gateways dela.',
        'Se você não pediu isso, ignore esta mensagem. Sua senha continua a mesma.',
      ),
    },
  };
  return { to: email, ...texts[language] };
}

function paragraphs(...lines: readonly string[]): string {
  return lines.join('\n\n');
}
