import type { Call } from '../support/load';
import type { LoadClient } from '../support/load-client';
import { APPROVED_CARD } from '../support/payment-bodies';
import { firstAnswer } from '../support/payment-calls';

/** Creates a subscription with a long trial: it is charged only after the end of the trial is moved forward. */
export function subscriptionCall(client: LoadClient, planId: string): Call {
  return async () => {
    const { number } = client.nextOrder();
    const document = String(number % 10_000_000).padStart(11, '7');
    const body = {
      plan_id: planId,
      customer: { name: 'Ana Souza', email: `ana-${document}@example.com`, document },
      card: {
        number: APPROVED_CARD,
        holder_name: 'ANA SOUZA',
        expire_month: 12,
        expire_year: 2035,
        cvv: '123',
      },
    };
    return firstAnswer(await client.createSubscription(body));
  };
}
