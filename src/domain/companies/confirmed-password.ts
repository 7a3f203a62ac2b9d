import { validationError } from '../shared/errors';

/** The password that was given twice; 422 when the second is another. */
export function confirmedPassword(given: {
  readonly password: string;
  readonly passwordConfirmation: string;
}): string {
  if (given.password !== given.passwordConfirmation) {
    throw validationError({ password_confirmation: ['must equal password'] });
  }
  return given.password;
}
