import { unwrapBody, api } from '../../api/client';

interface SignIn {
  readonly email: string;
  readonly password: string;
  /** A code of the authenticator app or a recovery code; empty if none was asked for. */
  readonly otp?: string;
}

/** The response sets the session cookie. The token in its body is for API clients and is not stored. */
export async function signIn({ otp, ...body }: SignIn): Promise<void> {
  await unwrapBody(
    api.POST('/auth/login', { body: { ...body, ...(otp !== undefined && otp !== '' && { otp }) } }),
  );
}
