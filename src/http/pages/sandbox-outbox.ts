import { Router } from 'express';
import type { Mail } from '../../domain/companies/mail';
import { refuseMethod } from '../server/refuse-method';
import { noStore, setRoute } from '../server/request-context';

interface StoredMail extends Mail {
  readonly id: number;
  readonly createdAt: Date;
}

/** The mail that the sandbox kept instead of sending it, newest first. */
export type ReadOutbox = () => Promise<readonly StoredMail[]>;

/** `/_sandbox/outbox`: shows developers the mail to their users. */
export function sandboxOutboxRouter(readOutbox: ReadOutbox): Router {
  const router = Router();
  router.use(setRoute('/_sandbox/outbox'), noStore);
  router.get('/', async (_req, res) => {
    const mails = await readOutbox();
    const data = mails.map(({ id, to, subject, text, createdAt }) => ({
      id,
      to,
      subject,
      text,
      created_at: createdAt.toISOString(),
    }));
    res.json({ data });
  });
  router.all('/', refuseMethod(['GET']));
  return router;
}
