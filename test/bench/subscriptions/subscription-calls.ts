import type { Call } from '../support/load';
import type { Merchant } from '../support/merchant';
import { APPROVED_CARD } from '../support/payment-bodies';
import { answered } from '../support/payment-calls';

/** A subscription whose trial is long: nothing of it is charged before its end is brought forward. */
export function subscriptionCall(merchant: Merchant, planId: string): Call {
  return async () => {
    const { number } = merchant.nextOrder();
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
    return answered(await merchant.subscribe(body));
  };
}
