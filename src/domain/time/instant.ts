import { validationError } from '../shared/errors';

/** A time that the contract has let through; RFC 3339 has leap seconds, which no clock here has. */
export function readInstant(field: string, text: string): Date {
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) {
    throw validationError({ [field]: ['must be a time, as 2026-03-31T12:00:00Z'] });
  }
  return instant;
}
