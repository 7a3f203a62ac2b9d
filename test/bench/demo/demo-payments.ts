import { GATEWAY_SLUGS, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { Behavior } from '../../../src/simulator/scripts';
import { APPROVED_CARD, cardPaymentBody, pixPaymentBody, type BenchOrder } from '../support/payment-bodies';

/** One kind of payment in the demo. */
export interface DemoKind {
  readonly title: string;
  readonly count: number;
  /** Null: a pix, which the simulator's customer pays. */
  readonly cardNumber: string | null;
  /** The gateways that the payments of this kind try first, in turn. */
  readonly firstTries: readonly GatewaySlug[];
  /** How the simulator's gateways behave towards each of these payments, until it is settled. */
  readonly scripts: ReadonlyArray<{
    readonly gateway: GatewaySlug;
    readonly behavior: Behavior;
    /** 0 is for ever. */
    readonly times: number;
  }>;
}

/**
 * 200 payments: approved and declined test cards and paid pix at every gateway in turn, and failover between gateways.
 * Technical failures stay below the five within 30 s that open a gateway's circuit. An outcome is unknown only at gateways
 * that soon prove what happened, with the simulator and with the vendor that the documentation recommends for them.
 */
export const DEMO_KINDS: readonly DemoKind[] = [
  card('visa', 46, APPROVED_CARD),
  card('mastercard', 31, '5555555555554444'),
  card('visa, another card', 20, '4000000000000010'),
  { ...card('pix', 21, APPROVED_CARD), cardNumber: null },
  card('not authorized (05)', 10, '4000000000000002'),
  card('insufficient funds (51)', 10, '4000000000009995'),
  card('lost card (41)', 10, '4000000000009987'),
  card('stolen card (43)', 10, '4000000000009979'),
  {
    ...card('gateway_1: issuer unavailable (91)', 24, APPROVED_CARD),
    firstTries: ['gateway_1'],
    scripts: [issuerUnavailable('gateway_1')],
  },
  {
    ...card('gateway_4 and 1: issuer unavailable', 14, APPROVED_CARD),
    firstTries: ['gateway_4'],
    scripts: [issuerUnavailable('gateway_4'), issuerUnavailable('gateway_1')],
  },
  {
    ...card('gateway_1: charged, response lost', 2, APPROVED_CARD),
    firstTries: ['gateway_1'],
    scripts: [{ gateway: 'gateway_1', behavior: { drop: 'after' }, times: 1 }],
  },
  {
    ...card('gateway_4: out of service', 2, APPROVED_CARD),
    firstTries: ['gateway_4'],
    scripts: [{ gateway: 'gateway_4', behavior: { status: 503 }, times: 0 }],
  },
];

function card(title: string, count: number, cardNumber: string): DemoKind {
  return { title, count, cardNumber, firstTries: GATEWAY_SLUGS, scripts: [] };
}

function issuerUnavailable(gateway: GatewaySlug): DemoKind['scripts'][number] {
  return { gateway, behavior: { decline: '91' }, times: 1 };
}

/** A payment of the demo before it is made. */
export interface PlannedPayment {
  readonly kind: DemoKind;
  readonly firstTry: GatewaySlug;
}

/** All payments of the demo, with the kinds mixed evenly. */
export function mixKinds(kinds: readonly DemoKind[]): PlannedPayment[] {
  const positioned = kinds.flatMap((kind) =>
    Array.from({ length: kind.count }, (_, index) => ({
      kind,
      firstTry: kind.firstTries[index % kind.firstTries.length] ?? 'gateway_1',
      at: (index + 0.5) / kind.count,
    })),
  );
  return positioned.sort((a, b) => a.at - b.at).map(({ kind, firstTry }) => ({ kind, firstTry }));
}

/** The request, with what any of the vendors insists on. */
export function demoRequest({ kind, firstTry }: PlannedPayment, order: BenchOrder) {
  const { cardNumber } = kind;
  const body = cardNumber === null ? pixPaymentBody(order) : cardPaymentBody({ ...order, cardNumber });
  const customer = { ...body.customer, document: cpf(order.number) };
  const payer = { ip: '200.147.3.157', phone: '11987654321' };
  return {
    path: cardNumber === null ? '/payments/pix' : '/payments/card',
    body: { ...body, customer, payer, gateway_first_try: firstTry },
  };
}

/** Consecutive numbers have different documents. Vendors check the last two digits, which follow from the others. */
function cpf(number: number): string {
  const digits = Array.from(String(100_000_000 + number), Number);
  for (const length of [9, 10]) {
    const sum = digits.reduce((total, digit, index) => total + digit * (length + 1 - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join('');
}
