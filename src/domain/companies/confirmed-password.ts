import { validationError } from '../shared/errors';

/** Returns the password. Throws 422 if the confirmation differs. */
export function requireMatchingPasswords(input: {
  readonly password: string;
  readonly passwordConfirmation: string;
}): string {
  if (input.password !== input.passwordConfirmation) {
    throw validationError({ password_confirmation: ['must equal password'] });
  }
  return input.password;
}
