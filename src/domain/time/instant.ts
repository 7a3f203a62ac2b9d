import { validationError } from '../shared/errors';

/** Parses a valid RFC 3339 time. Throws 422 for a leap second, which `Date` does not support. */
export function parseInstant(field: string, text: string): Date {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) {
    throw validationError({ [field]: ['must be a time, as 2026-03-31T12:00:00Z'] });
  }
  return instant;
}
