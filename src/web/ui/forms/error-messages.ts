import { RequestError } from '../../api/request-error';
import { messages } from '../messages';

/** Message for a failed request. The API's own message where it is more specific. */
export function errorMessage(error: unknown): string {
  const { errors } = messages;
  if (!(error instanceof RequestError)) return errors.internal;
  if (error.status === null) return errors.unreachable;
  switch (error.code) {
    case 'unauthenticated':
      return errors.signedOut;
    case 'not_found':
      return errors.notFound;
    case 'rate_limited':
      return errors.rateLimited;
    case 'unavailable':
    case 'restore_in_progress':
      return errors.unavailable;
    case 'internal_error':
    case null:
      return errors.internal;
    case 'validation_error':
      return messages.checkFields;
    default:
      return error.message;
  }
}
