import { ApiError, validationError } from '../shared/errors';

/** `state`: the status forbids the command, or its card must not be charged now. `card`: the new card must not be charged. */
export type RefusalSubject = 'state' | 'card';

/** Why a command is refused. `reason` is public text. */
export interface CommandRefusal {
  readonly reason: string;
  readonly subject: RefusalSubject;
}

/** Why a card that a request names cannot be charged now. */
export const CARD_REFUSALS = {
  later: 'was declined too often: its card network allows no further charge yet',
  never: 'must not be charged again: use another card',
} as const;

/** Why the subscription's card cannot be charged now. */
export const CHARGE_REFUSALS = {
  later: 'and its card was declined too often: its card network allows no further charge yet',
  never: 'and its card must not be charged again: change the card',
} as const;

/** The error that a refused command is answered with: 409, or 422 about the card. */
export function refusalError({ reason, subject }: CommandRefusal): ApiError {
  if (subject === 'card') return validationError({ card: [reason] });
  return new ApiError('invalid_state', `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`);
}
