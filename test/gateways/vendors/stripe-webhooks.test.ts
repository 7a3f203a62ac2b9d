import Stripe from 'stripe';
import { waitFor } from '../../support/stack/wait-for';
import {
  CARDS,
  errorOf,
  type ReceivedEvent,
  StripeBench,
  StripePayment,
  WEBHOOK_SECRET,
} from './stripe-bench';

let bench: StripeBench;
beforeAll(async () => {
  bench = await StripeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new StripePayment(bench.sdk());
/** The events about one PaymentIntent, once there are so many. */
const eventsAbout = (intentId: string, count: number): Promise<ReceivedEvent[]> =>
  waitFor(
    () => {
      const events = bench.received.filter(({ body }) => body.includes(intentId));
      return events.length >= count && events;
    },
    { what: `${count} events about ${intentId}` },
  );
const verified = ({ body, signature }: ReceivedEvent) =>
  Stripe.webhooks.constructEvent(body, signature, WEBHOOK_SECRET);
const typesOf = (events: readonly ReceivedEvent[]) => events.map(({ event }) => event.type);

describe('an event of the fake of Stripe', () => {
  it('reports each change of a payment with a signature that Stripe’s SDK accepts', async () => {
    const sdk = bench.sdk();
    const { id } = await newPayment().pay({ capture_method: 'manual' });
    await eventsAbout(id, 1);
    await sdk.paymentIntents.capture(id);
    await eventsAbout(id, 2);
    await sdk.refunds.create({ payment_intent: id, amount: 1_000 });
    const events = await eventsAbout(id, 4);
    expect(events.map((event) => verified(event).type)).toEqual([
      'payment_intent.amount_capturable_updated',
      'payment_intent.succeeded',
      'charge.refunded',
      'refund.updated',
    ]);
    expect(verified(events[1] as ReceivedEvent)).toMatchObject({
      object: 'event',
      livemode: false,
      data: { object: { id, object: 'payment_intent', status: 'succeeded' } },
    });
  });

  it('reports a decline, a cancellation and a dispute', async () => {
    const declined =
      (await errorOf(newPayment().pay({}, { number: CARDS.declined }))).payment_intent?.id ?? '';
    expect(typesOf(await eventsAbout(declined, 1))).toEqual(['payment_intent.payment_failed']);
    const { id: canceled } = await newPayment().pay({ capture_method: 'manual' });
    await eventsAbout(canceled, 1);
    await bench.sdk().paymentIntents.cancel(canceled);
    expect(typesOf(await eventsAbout(canceled, 2)).at(-1)).toBe('payment_intent.canceled');
    const payment = newPayment();
    const { id: disputed } = await payment.pay();
    await eventsAbout(disputed, 1);
    await bench.control.sendCallbacks(payment.transactionId, { kind: 'chargeback' });
    const dispute = (await eventsAbout(disputed, 2)).at(-1);
    expect(dispute?.event).toMatchObject({
      type: 'charge.dispute.created',
      data: { object: { object: 'dispute', payment_intent: disputed, amount: 10_000 } },
    });
  });

  it('comes before the answer, twice or forged, as a script says', async () => {
    const early = newPayment();
    await bench.control.script(
      { transaction_id: early.transactionId },
      { callback_first: true, hang: 'after' },
    );
    const unanswered = early.pay().catch(() => null);
    await waitFor(() => bench.received.some(({ body }) => body.includes(early.reference)), {
      what: 'the event',
    });
    expect(await Promise.race([unanswered, Promise.resolve('still open')])).toBe('still open');

    const payment = newPayment();
    const { id } = await payment.pay();
    await eventsAbout(id, 1);
    await bench.control.sendCallbacks(payment.transactionId, { times: 2 });
    const [, copy, other] = (await eventsAbout(id, 3)).map(({ event }) => event.id);
    expect(copy).toBe(other);
    await bench.control.sendCallbacks(payment.transactionId, { forge: true });
    const forged = (await eventsAbout(id, 4)).at(-1) as ReceivedEvent;
    expect(() => verified(forged)).toThrow(Stripe.errors.StripeSignatureVerificationError);
  });
});
