import { Router, type RequestHandler } from 'express';
import { notFound } from '../../domain/shared/errors';
import { isOperator } from '../../domain/users/operator';
import { sessionAuthentication, type UserAuthentication } from './authentication';
import type { SessionCookie } from './session-cookie';

export interface SupportOnlyDeps {
  readonly users: UserAuthentication;
  readonly sessionCookie: SessionCookie;
  /** In lower case. */
  readonly supportEmails: ReadonlySet<string>;
}

/**
 * Lets support staff through by the session cookie: users whose email the deployment names in `SUPPORT_EMAILS` and who
 * have verified it, because anyone may register with any email. Their company may require a second factor, which they need
 * then. 401 without a session, 404 for other users.
 */
export function supportOnly({ users, sessionCookie, supportEmails }: SupportOnlyDeps): RequestHandler {
  const router = Router();
  router.use(sessionAuthentication(users, sessionCookie));
  router.use((req, _res, next) => {
    const user = req.signedIn?.user;
    next(user !== undefined && isOperator(user, supportEmails) ? undefined : notFound());
  });
  return router;
}
