import { formatMoney } from '../../../src/domain/shared/money';
import { uniqueAmount } from '../../support/scenarios/pay';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { authorization, hoursLater, newKey, pendingPix, sale, to } from '../support/payment-scenario';
import { detailOf, lostSale, openShop, PATIENT_TIMES, read, untilTold, type Shop } from './dashboard-company';

/*
 * Whole lives of payments, as a person reads them. A line is the operation it belongs to (by its place among them all),
 * what kind of thing happened by whose doing, and what is said of it.
 */

let api: EngineApi;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startEngineApi(PATIENT_TIMES), startWebhookReceiver()]);
});
afterAll(async () => {
  receiver.close();
  await api.stop();
});

const money = (cents: number): string => formatMoney(cents, 'BRL');

/** As the timeline tells of an instant. */
const minute = (instant: string | null | undefined): string =>
  `${instant?.slice(0, 16).replace('T', ' ') ?? ''} UTC`;

async function endpointOf({ admin }: Shop): Promise<number> {
  const body = { url: receiver.url, events: ['transaction.approved'] };
  return expectStatus(await admin('createWebhookEndpoint', { body }), 201).body.id;
}

describe('a card', () => {
  it('declined at one gateway, approved at the next, and told to an endpoint', async () => {
    const shop = await openShop(api, ['gateway_1', 'gateway_2']);
    const endpoint = await endpointOf(shop);
    const amount = uniqueAmount();
    await api.engine.simulator.script({ gateway: 'gateway_1', amount }, { decline: '05' });
    const payment = await sale(shop.byKey, { amount });
    expect(read(await untilTold(shop, payment, 'webhook_delivered'))).toEqual([
      `- created (company): Payment created: card, ${money(amount)}, order order-1001, no idempotency key`,
      '0 routed (system): Routed to gateway_1: order 1',
      `0 sent (system): Charge of ${money(amount)} sent to gateway_1`,
      '0 gateway_declined (gateway): gateway_1 declined the charge: 05 not authorized (soft)',
      '1 failed_over (system): Failed over to gateway_2: next after gateway_1 declined; order 2',
      `1 sent (system): Charge of ${money(amount)} sent to gateway_2`,
      '1 gateway_accepted (gateway): gateway_2 approved the charge: 00 approved',
      '- payment_approved (system): Payment approved',
      `- webhook_delivered (system): transaction.approved delivered to endpoint ${endpoint}: answered 200 in so many ms`,
    ]);
  });

  it('whose charge a gateway answered too late, found by asking', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const amount = uniqueAmount();
    await api.engine.simulator.script(
      { gateway: 'gateway_1', amount, operation: 'charge' },
      { hang: 'after' },
    );
    const payment = await sale(shop.byKey, { amount });
    expect(read(await detailOf(shop, payment)).slice(2)).toEqual([
      `0 sent (system): Charge of ${money(amount)} sent to gateway_1`,
      '0 gateway_unknown (system): What became of the charge at gateway_1 is open',
      '1 inquired (system): gateway_1 was asked about the charge: it was approved',
      '- payment_approved (system): Payment approved',
    ]);
  });

  it('whose charge never reached a gateway, which was proven before the next one was tried', async () => {
    const shop = await openShop(api, ['gateway_1', 'gateway_2']);
    const amount = uniqueAmount();
    await api.engine.simulator.script(
      { gateway: 'gateway_1', amount, operation: 'charge' },
      { hang: 'before' },
    );
    const payment = await sale(shop.byKey, { amount });
    expect(read(await detailOf(shop, payment)).slice(2)).toEqual([
      `0 sent (system): Charge of ${money(amount)} sent to gateway_1`,
      '0 gateway_unknown (system): What became of the charge at gateway_1 is open',
      '1 inquired (system): gateway_1 was asked about the charge: it never arrived there',
      '2 failed_over (system): Failed over to gateway_2: next after gateway_1, which never received the charge; order 2',
      `2 sent (system): Charge of ${money(amount)} sent to gateway_2`,
      '2 gateway_accepted (gateway): gateway_2 approved the charge: 00 approved',
      '- payment_approved (system): Payment approved',
    ]);
  });

  it('lost at a gateway that cannot tell, brought to the desk, and resolved by a person', async () => {
    const shop = await openShop(api, ['gateway_3']);
    const amount = uniqueAmount();
    const id = await lostSale(api, shop, amount);
    const payment = { transaction_id: id };
    const stuck = await untilTold(shop, payment, 'desk_entered');
    const { merchant_order_id: order } = stuck.payment;
    const until = [
      `- created (company): Payment created: card, ${money(amount)}, order ${order}, no idempotency key`,
      '0 routed (system): Routed to gateway_3: order 1',
      `0 sent (system): Charge of ${money(amount)} sent to gateway_3`,
    ];
    const open = '0 gateway_unknown (system): What became of the charge at gateway_3 is open';
    const asked = '- desk_entered (system): A person is asked';
    const why = 'the gateway gave no whole answer (SocketError, UND_ERR_SOCKET)';
    expect(read(stuck)).toEqual([...until, `${open}: ${why}`, asked]);
    const [charge] = stuck.attempts;
    expect(stuck.desk).toEqual({
      attempt_id: charge?.id,
      gateway: 'gateway_3',
      operation: 'charge',
      since: stuck.timeline.at(-1)?.at,
      question: `What became of the charge of ${money(amount)} at gateway_3? Its reference there is ${charge?.reference}.`,
    });

    const word = { outcome: 'paid', reason: 'Ticket 8812: ch_1 is on their page' };
    expectStatus(await shop.admin('resolvePayment', { params: { id }, body: word }), 200);
    const resolved = await detailOf(shop, payment);
    expect(read(resolved)).toEqual([
      ...until,
      open,
      asked,
      `0 resolved (admin): ${shop.email} said: paid: Ticket 8812: ch_1 is on their page`,
      '- desk_left (system): No person is asked any more',
      '- payment_approved (system): Payment approved',
    ]);
    expect(resolved.desk).toBeNull();
  });

  it('authorized, captured in part by the company, and refunded in part by an admin', async () => {
    const shop = await openShop(api, ['gateway_1']);
    const payment = await authorization(shop.byKey, { amount: 10_000 });
    const key = newKey();
    const capture = to(payment, { body: { amount: 8_000 }, headers: key });
    expectStatus(await shop.byKey('capturePayment', capture), 200);
    const refund = to(payment, { body: { amount: 3_000, reason: 'one shirt came back' } });
    expectStatus(await shop.admin('refundUserPayment', refund), 200);
    expect(read(await detailOf(shop, payment))).toEqual([
      '- created (company): Payment created: card, R$ 100,00, order order-1001, no idempotency key',
      '0 routed (system): Routed to gateway_1: order 1',
      '0 sent (system): Authorization of R$ 100,00 sent to gateway_1',
      '0 gateway_accepted (gateway): gateway_1 approved the authorization: 00 authorized',
      `- payment_authorized (system): Payment authorized: to be captured until ${minute(payment.capture_before)}`,
      `1 requested (company): Capture of R$ 80,00 asked for: idempotency key ${key['Idempotency-Key']}`,
      '1 sent (system): Capture of R$ 80,00 sent to gateway_1',
      '1 gateway_accepted (gateway): gateway_1 carried out the capture: 00 approved',
      '- payment_approved (system): Payment approved: R$ 80,00 of R$ 100,00 taken',
      `2 requested (admin): Refund of R$ 30,00 asked for: by ${shop.email}, reason: one shirt came back`,
      '2 sent (system): Refund of R$ 30,00 sent to gateway_1',
      '2 gateway_accepted (gateway): gateway_1 carried out the refund: 00 refunded',
      '- payment_refunded (system): Payment refunded in part: R$ 30,00 of R$ 80,00 returned so far',
    ]);
  });

  it('whose payer disputes it', async () => {
    const shop = await openShop(api, ['gateway_1'], { calledBack: 'signed' });
    const payment = await sale(shop.byKey);
    await api.engine.simulator.sendCallbacks(payment.transaction_id, { kind: 'chargeback' });
    expect(read(await untilTold(shop, payment, 'chargeback')).slice(3)).toEqual([
      '0 gateway_accepted (gateway): gateway_1 approved the charge: 00 approved',
      '- payment_approved (system): Payment approved',
      '0 chargeback (gateway): Chargeback notice from gateway_1: signed',
    ]);
  });
});

describe('a pix', () => {
  const until = (deadline: string): string[] => [
    '- created (company): Payment created: pix, R$ 129,90, order order-1001, no idempotency key',
    '0 routed (system): Routed to gateway_1: order 1',
    '0 sent (system): Charge of R$ 129,90 sent to gateway_1',
    '0 gateway_accepted (gateway): gateway_1 took the charge',
    `- payment_pending (system): The customer is to pay: to be paid until ${deadline}`,
  ];

  it('paid, as its gateway reported', async () => {
    const shop = await openShop(api, ['gateway_1'], { calledBack: 'signed' });
    const payment = await pendingPix(shop.byKey);
    await api.engine.simulator.pay(payment.transaction_id);
    expect(read(await untilTold(shop, payment, 'payment_paid'))).toEqual([
      ...until(minute(payment.transactions[0]?.pix?.expires_at)),
      '0 callback (gateway): Callback from gateway_1: signed',
      '1 inquired (system): gateway_1 was asked about the charge: it was approved',
      '- payment_paid (customer): Paid',
    ]);
  });

  it('expired, and paid after all, as somebody reported who signs nothing', async () => {
    const shop = await openShop(api, ['gateway_1'], { calledBack: 'unsigned' });
    const payment = await pendingPix(shop.byKey);
    await hoursLater(shop.byKey, payment, 25);
    await api.engine.simulator.pay(payment.transaction_id);
    expect(read(await untilTold(shop, payment, 'payment_paid'))).toEqual([
      ...until(minute(payment.transactions[0]?.pix?.expires_at)),
      '- payment_expired (system): Payment expired',
      '0 callback (gateway): Callback from gateway_1: not signed: anybody could have sent it, so it is only a hint',
      '1 inquired (system): gateway_1 was asked about the charge: it was approved',
      '- payment_paid (customer): Paid after all',
    ]);
  });
});
