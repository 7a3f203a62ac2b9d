import type { Merchant } from '../merchant/merchant';
import { describeOutcome, send, sendUntilFinal } from '../merchant/requests';

/** Advances a subscription's test clock; also if a server dies after it has done so and before it answers. */
export async function advanceClock(merchant: Merchant, id: string, to: Date): Promise<void> {
  const body = { advance_to: to.toISOString() };
  const request = { ...merchant.authorizedRequest('POST', `/subscriptions/${id}/clock`), body };
  const outcome = await sendUntilFinal(() => send(request));
  const wasAdvanced =
    outcome.kind === 'http' &&
    (outcome.status === 200 || outcome.text.includes(`after ${body.advance_to}, where the clock stands`));
  if (!wasAdvanced) throw new Error(`the clock of ${id} was not advanced: ${describeOutcome(outcome)}`);
}
