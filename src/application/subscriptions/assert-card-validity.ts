import { validationError } from '../../domain/shared/errors';
import { isValidForMonths } from '../../domain/subscriptions/card-validity';
import type { Plan } from '../../domain/subscriptions/plan';
import type { CardOnFile } from '../../domain/subscriptions/stored-command';

/** @throws ApiError `validation_error` if the card expires before the plan's minimum number of months */
export function assertCardValidity(
  { card }: Pick<CardOnFile, 'card'>,
  { minCardMonths }: Plan,
  now: Date,
  timezone: string,
): void {
  if (isValidForMonths(card, minCardMonths, now, timezone)) return;
  const message = `the card must be valid for ${minCardMonths} more months`;
  throw validationError({ [card.token === null ? 'card.expire_year' : 'card.token']: [message] });
}
