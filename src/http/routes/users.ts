import { logIn, type LogInDeps } from '../../application/users/log-in';
import type { EmailVerification } from '../../application/users/email-verification';
import type { PasswordReset } from '../../application/users/password-reset';
import type { Profile } from '../../application/users/profile';
import { registerUser, type RegisterUserDeps } from '../../application/users/register-user';
import type { Sessions } from '../../application/users/sessions';
import { presentMe, presentRegisteredUser, presentSignedInUser } from '../../presenters/user';
import type { SignedIn } from '../../domain/companies/user';
import { isOperator } from '../../domain/users/operator';
import type { Mode } from '../../domain/shared/mode';
import { companyActorOf } from '../../domain/companies/audit-actor';
import type { RouteHandlers } from '../server/route';
import type { DeviceCookie } from '../auth/device-cookie';
import type { SessionCookie } from '../auth/session-cookie';
import { API_KEY_WARNING } from './companies';

export interface UserRouteDeps {
  readonly signUp: RegisterUserDeps;
  readonly signIn: LogInDeps;
  readonly sessions: Sessions;
  readonly passwordReset: PasswordReset;
  readonly emailVerification: EmailVerification;
  readonly profile: Profile;
  readonly sessionCookie: SessionCookie;
  readonly deviceCookie: DeviceCookie;
  /** The modes that the deployment offers. */
  readonly modes: readonly Mode[];
  /** The emails of the deployment's operators, in lower case. */
  readonly operatorEmails: ReadonlySet<string>;
}

type UserRouteId =
  | 'registerUser'
  | 'logIn'
  | 'logOut'
  | 'forgotPassword'
  | 'resetPassword'
  | 'getMe'
  | 'updateMe'
  | 'sendVerificationEmail'
  | 'verifyEmail';

export function userRoutes(deps: UserRouteDeps): Pick<RouteHandlers, UserRouteId> {
  const { sessions, passwordReset, emailVerification, profile, sessionCookie, deviceCookie } = deps;
  const present = (signedIn: SignedIn) =>
    presentMe(signedIn, {
      modes: deps.modes,
      isOperator: isOperator(signedIn.user, deps.operatorEmails),
    });
  return {
    async registerUser({ body, headers, language, origin }) {
      const clientId = headers['x-client-id'];
      const apiKey = headers['x-api-key'];
      const registered = await registerUser(deps.signUp, {
        name: body.name,
        email: body.email,
        password: body.password,
        passwordConfirmation: body.password_confirmation,
        language,
        keyPair: apiKey === undefined ? null : { clientId, apiKey },
        company: {
          name: body.company_name,
          cnpj: body.company_cnpj,
          financialEmail: body.company_financial_email,
          phone: body.company_phone,
          referrer: clientId,
        },
        origin,
      });
      return { status: 201, body: presentRegisteredUser(registered, API_KEY_WARNING) };
    },

    async logIn({ body, receivedAt, origin }) {
      const { email, password, otp } = body;
      const loggedIn = await logIn(deps.signIn, { email, password, otp, origin });
      const { token, expiresAt } = loggedIn.session;
      const device = deviceCookie.create(loggedIn.user.email, receivedAt);
      return {
        status: 200,
        body: presentSignedInUser(loggedIn),
        headers: { 'Set-Cookie': [sessionCookie.create(token, expiresAt), device] },
      };
    },

    async logOut({ user }) {
      await sessions.close(user.jti);
      return { status: 204, headers: { 'Set-Cookie': sessionCookie.clear() } };
    },

    async forgotPassword({ body }) {
      await passwordReset.requestReset(body.email);
      const message = 'If this email has an account, a message with a reset token is on its way.';
      return { status: 200, body: { message } };
    },

    async resetPassword({ body, requestId, receivedAt }) {
      const { token, password, password_confirmation: passwordConfirmation } = body;
      const newPassword = { token, password, passwordConfirmation, requestId };
      const { email } = await passwordReset.resetPassword(newPassword);
      return {
        status: 200,
        body: { message: 'The password is changed. Sign in with it.' },
        headers: { 'Set-Cookie': deviceCookie.create(email, receivedAt) },
      };
    },

    async getMe(signedIn) {
      return { status: 200, body: present(signedIn) };
    },

    async updateMe(request) {
      const { user, company, body } = request;
      const changed = await profile.update(companyActorOf(request), user, body);
      return { status: 200, body: present({ user: { ...user, ...changed }, company }) };
    },

    async sendVerificationEmail({ user }) {
      await emailVerification.sendMail(user);
      return { status: 200, body: { message: 'An email with a token is being sent to your address.' } };
    },

    async verifyEmail({ user, company, body }) {
      await emailVerification.verify(user, body.token);
      return { status: 200, body: present({ user: { ...user, emailVerified: true }, company }) };
    },
  };
}
