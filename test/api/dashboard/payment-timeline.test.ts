import { formatMoney } from '../../../src/domain/shared/money';
import { uniqueAmount } from '../../support/scenarios/pay';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { expectStatus } from '../support/api-client';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import {
  authorization,
  advanceClockByHours,
  newKey,
  pendingPix,
  sale,
  to,
} from '../support/payment-scenario';
import {
  detailOf,
  startLostCharge,
  registerDashboardCompany,
  SLOW_MACHINE_TIMES,
  timelineLines,
  untilTimelineEndsWith,
  type DashboardCompany,
} from './dashboard-company';

/*
 * Timelines of whole payments. Each line is the index of the attempt, the kind and actor of the entry, its title and its
 * detail.
 */

let api: EngineApi;
let receiver: WebhookReceiver;
beforeAll(async () => {
  [api, receiver] = await Promise.all([startEngineApi(SLOW_MACHINE_TIMES), startWebhookReceiver()]);
});
afterAll(async () => {
  receiver.close();
  await api.stop();
});

const money = (cents: number): string => formatMoney(cents, 'BRL');

/** An instant in the timeline’s format. */
const minute = (instant: string | null | undefined): string =>
  `${instant?.slice(0, 16).replace('T', ' ') ?? ''} UTC`;

async function endpointOf({ byToken: admin }: DashboardCompany): Promise<number> {
  const body = { url: receiver.url, events: ['transaction.approved'] };
  return expectStatus(await admin('createWebhookEndpoint', { body }), 201).body.id;
}

describe('the timeline of a card payment', () => {
  it('shows a decline at one gateway, the approval at the next, and the webhook', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1', 'gateway_2']);
    const endpoint = await endpointOf(company);
    const amount = uniqueAmount();
    await api.engine.simulator.script({ gateway: 'gateway_1', amount }, { decline: '05' });
    const payment = await sale(company.byKey, { amount });
    expect(timelineLines(await untilTimelineEndsWith(company, payment, 'webhook_delivered'))).toEqual([
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

  it('shows an inquiry that found the result of a charge whose answer was late', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const amount = uniqueAmount();
    await api.engine.simulator.script(
      { gateway: 'gateway_1', amount, operation: 'charge' },
      { hang: 'after' },
    );
    const payment = await sale(company.byKey, { amount });
    expect(timelineLines(await detailOf(company, payment)).slice(2)).toEqual([
      `0 sent (system): Charge of ${money(amount)} sent to gateway_1`,
      '0 gateway_unknown (system): The outcome of the charge at gateway_1 is unknown',
      '1 inquired (system): Inquiry to gateway_1 about the charge: approved',
      '- payment_approved (system): Payment approved',
    ]);
  });

  it('shows that a charge never reached its gateway before the next gateway was tried', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1', 'gateway_2']);
    const amount = uniqueAmount();
    await api.engine.simulator.script(
      { gateway: 'gateway_1', amount, operation: 'charge' },
      { hang: 'before' },
    );
    const payment = await sale(company.byKey, { amount });
    expect(timelineLines(await detailOf(company, payment)).slice(2)).toEqual([
      `0 sent (system): Charge of ${money(amount)} sent to gateway_1`,
      '0 gateway_unknown (system): The outcome of the charge at gateway_1 is unknown',
      '1 inquired (system): Inquiry to gateway_1 about the charge: never received',
      '2 failed_over (system): Failed over to gateway_2: next after gateway_1, which never received the charge; order 2',
      `2 sent (system): Charge of ${money(amount)} sent to gateway_2`,
      '2 gateway_accepted (gateway): gateway_2 approved the charge: 00 approved',
      '- payment_approved (system): Payment approved',
    ]);
  });

  it('shows a charge without a result, its manual review, and its resolution by an operator', async () => {
    const company = await registerDashboardCompany(api, ['gateway_3']);
    const amount = uniqueAmount();
    const id = await startLostCharge(api, company, amount);
    const payment = { transaction_id: id };
    const stuck = await untilTimelineEndsWith(company, payment, 'desk_entered');
    const { merchant_order_id: order } = stuck.payment;
    const until = [
      `- created (company): Payment created: card, ${money(amount)}, order ${order}, no idempotency key`,
      '0 routed (system): Routed to gateway_3: order 1',
      `0 sent (system): Charge of ${money(amount)} sent to gateway_3`,
    ];
    const open = '0 gateway_unknown (system): The outcome of the charge at gateway_3 is unknown';
    const reviewStarted = '- desk_entered (system): Manual review started';
    const why = 'the gateway answer was incomplete (SocketError, UND_ERR_SOCKET)';
    expect(timelineLines(stuck)).toEqual([...until, `${open}: ${why}`, reviewStarted]);
    const [charge] = stuck.attempts;
    expect(stuck.desk).toEqual({
      attempt_id: charge?.id,
      gateway: 'gateway_3',
      operation: 'charge',
      since: stuck.timeline.at(-1)?.at,
      question: `What is the outcome of the charge of ${money(amount)} at gateway_3? Its reference is ${charge?.reference}.`,
    });

    const resolution = { outcome: 'paid', reason: 'Ticket 8812: ch_1 is on their page' };
    expectStatus(await company.byToken('resolvePayment', { params: { id }, body: resolution }), 200);
    const resolved = await detailOf(company, payment);
    expect(timelineLines(resolved)).toEqual([
      ...until,
      open,
      reviewStarted,
      `0 resolved (admin): Resolved as paid by ${company.email}: Ticket 8812: ch_1 is on their page`,
      '- desk_left (system): Manual review ended',
      '- payment_approved (system): Payment approved',
    ]);
    expect(resolved.desk).toBeNull();
  });

  it('shows an authorization, its partial capture by API key, and its partial refund by a user', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const payment = await authorization(company.byKey, { amount: 10_000 });
    const key = newKey();
    const capture = to(payment, { body: { amount: 8_000 }, headers: key });
    expectStatus(await company.byKey('capturePayment', capture), 200);
    const refund = to(payment, { body: { amount: 3_000, reason: 'one shirt came back' } });
    expectStatus(await company.byToken('refundUserPayment', refund), 200);
    expect(timelineLines(await detailOf(company, payment))).toEqual([
      '- created (company): Payment created: card, R$ 100,00, order order-1001, no idempotency key',
      '0 routed (system): Routed to gateway_1: order 1',
      '0 sent (system): Authorization of R$ 100,00 sent to gateway_1',
      '0 gateway_accepted (gateway): gateway_1 approved the authorization: 00 authorized',
      `- payment_authorized (system): Payment authorized: capture before ${minute(payment.capture_before)}`,
      `1 requested (company): Capture of R$ 80,00 requested: idempotency key ${key['Idempotency-Key']}`,
      '1 sent (system): Capture of R$ 80,00 sent to gateway_1',
      '1 gateway_accepted (gateway): gateway_1 completed the capture: 00 approved',
      '- payment_approved (system): Payment approved: R$ 80,00 of R$ 100,00 captured',
      `2 requested (admin): Refund of R$ 30,00 requested: by ${company.email}, reason: one shirt came back`,
      '2 sent (system): Refund of R$ 30,00 sent to gateway_1',
      '2 gateway_accepted (gateway): gateway_1 completed the refund: 00 refunded',
      '- payment_refunded (system): Payment partially refunded: R$ 30,00 of R$ 80,00 refunded so far',
    ]);
  });

  it('shows a dispute by the payer', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
    const payment = await sale(company.byKey);
    await api.engine.simulator.sendCallbacks(payment.transaction_id, { kind: 'chargeback' });
    expect(timelineLines(await untilTimelineEndsWith(company, payment, 'chargeback')).slice(3)).toEqual([
      '0 gateway_accepted (gateway): gateway_1 approved the charge: 00 approved',
      '- payment_approved (system): Payment approved',
      '0 chargeback (gateway): Chargeback notice from gateway_1: signed',
    ]);
  });
});

describe('the timeline of a pix', () => {
  const until = (deadline: string): string[] => [
    '- created (company): Payment created: pix, R$ 129,90, order order-1001, no idempotency key',
    '0 routed (system): Routed to gateway_1: order 1',
    '0 sent (system): Charge of R$ 129,90 sent to gateway_1',
    '0 gateway_accepted (gateway): gateway_1 accepted the charge',
    `- payment_pending (system): Waiting for the customer to pay: payable until ${deadline}`,
  ];

  it('shows its payment as reported by its gateway', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
    const payment = await pendingPix(company.byKey);
    await api.engine.simulator.pay(payment.transaction_id);
    expect(timelineLines(await untilTimelineEndsWith(company, payment, 'payment_paid'))).toEqual([
      ...until(minute(payment.transactions[0]?.pix?.expires_at)),
      '0 callback (gateway): Callback from gateway_1: signed',
      '1 inquired (system): Inquiry to gateway_1 about the charge: approved',
      '- payment_paid (customer): Paid',
    ]);
  });

  it('shows its expiry and a later payment, reported by an unsigned callback', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'unsigned' });
    const payment = await pendingPix(company.byKey);
    await advanceClockByHours(company.byKey, payment, 25);
    await api.engine.simulator.pay(payment.transaction_id);
    expect(timelineLines(await untilTimelineEndsWith(company, payment, 'payment_paid'))).toEqual([
      ...until(minute(payment.transactions[0]?.pix?.expires_at)),
      '- payment_expired (system): Payment expired',
      '0 callback (gateway): Callback from gateway_1: unsigned, treated as a hint',
      '1 inquired (system): Inquiry to gateway_1 about the charge: approved',
      '- payment_paid (customer): Paid late',
    ]);
  });
});
