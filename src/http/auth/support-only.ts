import { Router, type RequestHandler } from 'express';
import { notFound } from '../../domain/shared/errors';
import { sessionAuthentication, type AuthenticateUser } from './authentication';
import type { SessionCookie } from './session-cookie';

export interface SupportOnlyDeps {
  readonly authenticateUser: AuthenticateUser;
  readonly sessionCookie: SessionCookie;
  /** In lower case. */
  readonly supportEmails: ReadonlySet<string>;
}

/**
 * Lets support staff through, by the session cookie: whoever is signed in under an email that the deployment names, and
 * has proved to read its mail, since anybody may register with any email. Without a session it is 401, for others 404.
 */
export function supportOnly({
  authenticateUser,
  sessionCookie,
  supportEmails,
}: SupportOnlyDeps): RequestHandler {
  const router = Router();
  router.use(sessionAuthentication(authenticateUser, sessionCookie));
  router.use((req, _res, next) => {
    const user = req.signedIn?.user;
    const isSupport = user?.emailVerified === true && supportEmails.has(user.email.toLowerCase());
    next(isSupport ? undefined : notFound());
  });
  return router;
}
