import { randomUUID } from 'node:crypto';
import { credentialHeaders, type ApiCredentials } from '../../support/merchant/company';
import { send, type SendOutcome } from '../../support/merchant/requests';
import { SimulatorControl } from '../../support/stack/simulator';
import type { BenchStack } from '../support/bench-stack';
import { cardPaymentBody } from '../support/payment-bodies';
import { showNumber } from '../support/format';
import { percentile } from '../support/statistics';
import type { BenchEndpoint, WebhookPublisher } from '../webhooks/webhook-publisher';

/** One property that must hold over all processes. */
export interface Checked {
  readonly property: string;
  readonly found: string;
  readonly holds: boolean;
}

export const COMPANY_LIMIT = 200;
const FLOOD_CALLERS = 8;
/** Until the processes know of each other. */
const LEARNING_MS = 2_500;
const FLOOD_MS = 4_000;
const SLOW_DELIVERIES = 200;
const FAST_DELIVERIES = 60;
/** A receiver that hangs keeps a slot for 10 s; so long would another company's webhook wait behind it. */
const MORE_THAN_ALONE_MS = 2_000;

/** The checks, at two APIs and the workers that run. */
export class CrossProcessChecks {
  private readonly simulator: SimulatorControl;
  private orders = 0;

  constructor(
    private readonly stack: BenchStack,
    private readonly apis: readonly [string, string],
  ) {
    this.simulator = new SimulatorControl(stack.simulatorUrl);
  }

  async idempotency(): Promise<Checked> {
    const company = await this.stack.registerCompany();
    const [body, key] = [this.order(), randomUUID()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => this.pay(company, index % 2, body, key)),
    );
    const bodies = new Set(answers.map((answer) => textOf(answer)));
    const { transaction_id: id = '' } = JSON.parse([...bodies][0] ?? '{}') as { transaction_id?: string };
    const { entries } = await this.simulator.ledger(id);
    const charges = new Set(entries.map(({ charge_id: charge }) => charge));
    return {
      property: '50 requests with one key over 2 APIs: one charge, one body',
      found: `${charges.size} charge, ${bodies.size} body`,
      holds: charges.size === 1 && bodies.size === 1,
    };
  }

  async rateLimit(): Promise<Checked> {
    const company = await this.stack.registerCompany();
    await Promise.all(this.apis.map((api) => this.flood(company, api, LEARNING_MS)));
    const counts = await Promise.all(this.apis.map((api) => this.flood(company, api, FLOOD_MS)));
    const [admitted, sent] = [sum(counts.map((each) => each.admitted)), sum(counts.map((each) => each.sent))];
    const perSecond = (admitted * 1_000) / FLOOD_MS;
    const sentPerSecond = (sent * 1_000) / FLOOD_MS;
    // Each window may be met at its beginning and at its end.
    const bound = COMPANY_LIMIT * 1.05 * (1 + 1_000 / FLOOD_MS);
    return {
      property: `${COMPANY_LIMIT} requests/s of a company over 2 APIs together`,
      found: `${perSecond.toFixed(0)}/s admitted of ${sentPerSecond.toFixed(0)}/s`,
      holds: perSecond <= bound && (sentPerSecond < COMPANY_LIMIT || perSecond >= 0.7 * COMPANY_LIMIT),
    };
  }

  async circuit(): Promise<Checked> {
    const company = await this.stack.registerCompany();
    const body = this.order();
    // Rejected credentials open a circuit at once.
    const match = { gateway: 'gateway_1', amount: body.amount, operation: 'charge' } as const;
    await this.simulator.script(match, { status: 401 });
    await this.pay(company, 0, body, randomUUID());
    const answer = JSON.parse(textOf(await this.pay(company, 1, body, randomUUID()))) as {
      transactions?: ReadonlyArray<{ gateway: string }>;
    };
    const gateways = (answer.transactions ?? []).map(({ gateway }) => gateway).join(', ');
    return {
      property: 'a circuit that one API opened at gateway_1 is seen by the other',
      found: `the next payment there was tried at ${gateways}`,
      holds: gateways === 'gateway_2',
    };
  }

  /** How long a company's webhooks take, alone and while another company's receiver hangs. */
  async fairness(publisher: WebhookPublisher): Promise<Checked> {
    const slow = await publisher.addEndpoint(await publisher.createCompany(), '/hang/scale');
    const fast = await publisher.addEndpoint(await publisher.createCompany(), '/ok/fair');
    const alone = await deliveryP99(publisher, fast);
    await publisher.startAll(await publisher.publish(slow, SLOW_DELIVERIES));
    const beside = await deliveryP99(publisher, fast);
    await publisher.setEnabled(slow, false);
    return {
      property: `${SLOW_DELIVERIES} webhooks to a receiver that hangs do not delay another company's`,
      found: `p99 of the other's ${FAST_DELIVERIES}: ${showNumber(beside / 1_000)} s, alone ${showNumber(alone / 1_000)} s`,
      holds: beside <= 2 * alone + MORE_THAN_ALONE_MS,
    };
  }

  private order() {
    this.orders += 1;
    return cardPaymentBody({
      number: this.orders,
      orderId: `scale-${this.orders}`,
      amountCents: 900_000 + this.orders,
    });
  }

  private pay(company: ApiCredentials, api: number, body: object, key: string): Promise<SendOutcome> {
    const headers = { ...credentialHeaders(company), 'idempotency-key': key };
    return send({ method: 'POST', url: `${this.apis[api] ?? ''}/payments/card`, headers, body });
  }

  private async flood(
    company: ApiCredentials,
    api: string,
    forMs: number,
  ): Promise<{ sent: number; admitted: number }> {
    const until = performance.now() + forMs;
    const counts = { sent: 0, admitted: 0 };
    const caller = async (): Promise<void> => {
      while (performance.now() < until) {
        const outcome = await send({
          method: 'GET',
          url: `${api}/events`,
          headers: credentialHeaders(company),
        });
        counts.sent += 1;
        if (outcome.kind === 'http' && outcome.status === 200) counts.admitted += 1;
      }
    };
    await Promise.all(Array.from({ length: FLOOD_CALLERS }, caller));
    return counts;
  }
}

/** From the event to its delivery, in ms. */
async function deliveryP99(publisher: WebhookPublisher, endpoint: BenchEndpoint): Promise<number> {
  const deliveries = await publisher.publish(endpoint, FAST_DELIVERIES);
  await publisher.startAll(deliveries);
  await publisher.untilNonePending([endpoint]);
  const rows = await publisher.context.db.query<{ ms: number }>(
    `SELECT (extract(epoch FROM delivered_at - created_at) * 1000)::float8 AS ms FROM webhook_deliveries
      WHERE id = ANY($1::uuid[])`,
    [deliveries.map(({ id }) => id)],
  );
  return percentile(
    rows.map(({ ms }) => ms),
    99,
  );
}

function textOf(outcome: SendOutcome): string {
  return outcome.kind === 'http' ? outcome.text : JSON.stringify(outcome);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
