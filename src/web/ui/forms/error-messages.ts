import { ApiFailure } from '../../api/failure';
import { messages } from '../messages';

/** What to tell a person whose request failed. The API's own words where it knows better than we do. */
export function failureWords(error: unknown): string {
  const { failures } = messages;
  if (!(error instanceof ApiFailure)) return failures.internal;
  if (error.status === null) return failures.unreachable;
  switch (error.code) {
    case 'unauthenticated':
      return failures.signedOut;
    case 'not_found':
      return failures.notFound;
    case 'rate_limited':
      return failures.rateLimited;
    case 'unavailable':
      return failures.unavailable;
    case 'internal_error':
    case null:
      return failures.internal;
    case 'validation_error':
      return messages.seeFields;
    default:
      return error.message;
  }
}
