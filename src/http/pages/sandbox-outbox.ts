import { Router } from 'express';
import type { Mail } from '../../domain/companies/mail';
import { refuseMethod } from '../server/refuse-method';

interface KeptMail extends Mail {
  readonly id: number;
  readonly createdAt: Date;
}

/** The mail a sandbox would have sent, newest first. */
export type ReadOutbox = () => Promise<readonly KeptMail[]>;

/** Shows a sandbox's developer what its users were mailed. */
export function sandboxOutboxRouter(readOutbox: ReadOutbox): Router {
  const router = Router();
  router.use((req, res, next) => {
    req.context.route = '/_sandbox/outbox';
    res.setHeader('Cache-Control', 'no-store');
    next();
  });
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
