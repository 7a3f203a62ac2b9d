import type { Mailer } from '../domain/companies/mail';

/** A deployment without a mail server: whoever wants to send learns that nothing is sent. */
export const noMail: Mailer = {
  send: () => Promise.reject(new Error('no mail is sent: SMTP_URL is not set')),
};
