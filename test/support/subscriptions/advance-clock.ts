import type { Merchant } from '../merchant/merchant';
import { describeOutcome, send, sendUntilFinal } from '../merchant/requests';

/** Advances a subscription's test clock; also if a server dies after it has done so and before it answers. */
export async function advanceClock(merchant: Merchant, id: string, to: Date): Promise<void> {
  const body = { advance_to: to.toISOString() };
  const request = { ...merchant.authorizedRequest('POST', `/subscriptions/${id}/clock`), body };
  const outcome = await sendUntilFinal(() => send(request));
  const wasAdvanced = outcome.kind === 'http' && (outcome.status === 200 || standsAt(outcome.text) >= to);
  if (!wasAdvanced) throw new Error(`the clock of ${id} was not advanced: ${describeOutcome(outcome)}`);
}

/** Where the clock stands, by the refusal of a request that was carried out before its answer was lost; never, if it is none. */
function standsAt(refusal: string): Date {
  const [, instant = 'never'] = /must be after (\S+), where the clock stands/.exec(refusal) ?? [];
  return new Date(instant);
}
