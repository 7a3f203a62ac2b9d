import { randomUUID } from 'node:crypto';
import { nextBankDay } from '../../../src/domain/payments/billet-calendar';
import { netOf, type StatementLine } from '../../../src/domain/settlement/statement-line';
import { BRASILIA, dateIn } from '../../../src/domain/time/timezone';
import { GatewayHttp } from '../../../src/gateways/http';
import { newGatewayContext } from '../../../src/gateways/new-gateway-context';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import type { WireStatementLine } from '../../../src/gateways/simulator/wire-statement';
import { STATEMENT_ERRORS } from '../../../src/simulator/statements/statement-errors';
import { FOR_NOBODY, KEEP_NOTHING } from '../../support/fixtures/gateway-calls';
import { sameGateways } from '../../support/same-gateways';
import {
  startOwnSimulator,
  startSimulatorProcess,
  type OwnSimulator,
  type SimulatorControl,
} from '../../support/stack/simulator';
import { payment, pixPayment, VendorClient } from './vendor-client';

let simulator: OwnSimulator;
let control: SimulatorControl;
const driver = new SimulatorDriver();
const http = new GatewayHttp();
beforeAll(async () => {
  simulator = await startOwnSimulator();
  control = simulator.control;
});
afterAll(async () => {
  await http.close();
  await simulator.dispose();
});

const TODAY = dateIn(BRASILIA, new Date());
const inDays = (days: number): string => dateIn(BRASILIA, new Date(Date.now() + days * 86_400_000));

/** An account of the test's own. */
function newAccount(): { client: VendorClient; secret: string } {
  const secret = `sk_${randomUUID()}`;
  return { client: new VendorClient(simulator.url, 'gateway_1', secret), secret };
}

/** All lines of a day, as the driver reads them, page by page. */
async function fetched(secret: string, day: string): Promise<StatementLine[]> {
  const registry = { driver: () => driver, endpoints: () => ({ api: `${simulator.url}/gateway_1` }) };
  const context = newGatewayContext(
    { registries: sameGateways(registry), http, unrecognizedAnswers: KEEP_NOTHING },
    {
      slug: 'gateway_1',
      values: { secretKey: secret, credentials: {} },
      clientId: null,
      idempotencyKey: '',
      sendBefore: Infinity,
      timeoutMs: 5_000,
      asked: FOR_NOBODY,
    },
  );
  const lines: StatementLine[] = [];
  let cursor: string | null = null;
  do {
    const page = await driver.statements.fetchPage(context, { day, cursor });
    lines.push(...(page?.lines ?? []));
    cursor = page?.next ?? null;
  } while (cursor !== null);
  return lines;
}

const amounts = (lines: readonly StatementLine[]) =>
  lines.map(({ kind, amountCents, feeCents, netCents }) => [kind, amountCents, feeCents, netCents]);

describe('the statement of a day', () => {
  it('settles a pix on its day and pays it out, less the fee', async () => {
    const { client, secret } = newAccount();
    const { transactionId, body } = pixPayment();
    await client.charge(body);
    expect(await fetched(secret, TODAY)).toEqual([]);
    await control.pay(transactionId);
    const lines = await fetched(secret, TODAY);
    expect(amounts(lines)).toEqual([
      ['sale', 10_000, 100, 9_900],
      ['settled', 10_000, 100, 9_900],
      ['payout', 9_900, 0, -9_900],
    ]);
    expect(lines[1]).toMatchObject({ reference: body.reference, installment: null, day: TODAY });
  });

  it('settles each installment of a card on a day on which banks are open', async () => {
    const { client, secret } = newAccount();
    await client.charge(payment({ amount: 1_000, installments: 3 }).body);
    expect(amounts(await fetched(secret, TODAY))).toEqual([['sale', 1_000, 30, 970]]);
    const [first, second] = [nextBankDay(inDays(30)), nextBankDay(inDays(60))];
    expect(amounts(await fetched(secret, first))).toEqual([
      ['settled', 334, 10, 324],
      ['payout', 324, 0, -324],
    ]);
    expect((await fetched(secret, second))[0]).toMatchObject({ amountCents: 333, installment: 2 });
  });

  it('settles what is anticipated once, before its day and at a cost', async () => {
    const { client, secret } = newAccount();
    const { transactionId, body } = payment();
    await client.charge(body);
    await control.anticipate(transactionId, { cost: 200 });
    expect(amounts(await fetched(secret, TODAY))).toEqual([
      ['sale', 10_000, 300, 9_700],
      ['anticipated', 10_000, 500, 9_500],
      ['payout', 9_500, 0, -9_500],
    ]);
    expect(await fetched(secret, nextBankDay(inDays(30)))).toEqual([]);
  });

  it('deducts refunds and chargebacks on the next day, and takes what is missing from later payouts', async () => {
    const { client, secret } = newAccount();
    const { transactionId, body } = pixPayment();
    await client.charge(body);
    await control.pay(transactionId);
    await control.refund(transactionId, 1_000);
    const { id } = await control.openDispute(transactionId, { amount: 500, kind: 'med' });
    const lines = await fetched(secret, nextBankDay(inDays(1)));
    expect(amounts(lines)).toEqual([
      ['refund', 1_000, 0, -1_000],
      ['chargeback', 500, 0, -500],
    ]);
    expect(lines[1]).toMatchObject({ disputeId: id });
  });

  it('has only the charges of the account', async () => {
    const [one, other] = [newAccount(), newAccount()];
    await one.client.charge(payment().body);
    expect(await fetched(other.secret, TODAY)).toEqual([]);
  });

  it('is read in pages, which have every line once', async () => {
    const { client, secret } = newAccount();
    for (let count = 0; count < 5; count += 1) await client.charge(payment().body);
    const ids: string[] = [];
    for (let after: string | null = '0'; after !== null;) {
      const { text } = await client.send(`statements/${TODAY}?limit=2&after=${after}`, null);
      const page = JSON.parse(text) as { data: WireStatementLine[]; next: string | null };
      expect(page.data.length).toBeLessThanOrEqual(2);
      ids.push(...page.data.map((line) => line.id));
      after = page.next;
    }
    expect(ids).toEqual((await fetched(secret, TODAY)).map(({ lineId }) => lineId));
    expect((await client.send(`statements/${TODAY}?limit=0`, null)).status).toBe(422);
  });

  it('cannot be fetched at gateway_3', async () => {
    const client = new VendorClient(simulator.url, 'gateway_3');
    expect((await client.send(`statements/${TODAY}`, null)).status).toBe(501);
  });
});

describe('POST /_admin/statement-errors', () => {
  it('plants each kind of error, and says where', async () => {
    for (const kind of STATEMENT_ERRORS) {
      const { client, secret } = newAccount();
      const { transactionId, body } = pixPayment();
      await client.charge(body);
      await control.pay(transactionId);
      await control.refund(transactionId, 1_000);
      const day = kind === 'missing_refund' ? nextBankDay(inDays(1)) : TODAY;
      const before = await fetched(secret, day);
      const planted = await control.plantStatementErrors({ day, kind, transaction_id: transactionId });
      expect(planted).toHaveLength(1);
      expect(planted[0]).toMatchObject({ kind });
      const after = await fetched(secret, day);
      expect(after).not.toEqual(before);
      const wrong = after.filter((line) => line.netCents !== netOf(line));
      expect(wrong).toHaveLength(kind === 'net' ? 1 : 0);
    }
  });

  it('plants no more errors than there are lines without one', async () => {
    const { client } = newAccount();
    const { transactionId, body } = payment();
    await client.charge(body);
    const plant = { day: TODAY, kind: 'amount', transaction_id: transactionId } as const;
    await control.plantStatementErrors(plant);
    await expect(control.plantStatementErrors(plant)).rejects.toThrow('too_few_lines');
    await expect(control.plantStatementErrors({ ...plant, day: 'soon' })).rejects.toThrow('422');
  });

  it('keeps planted errors and anticipations when the process is killed', async () => {
    const killed = await startSimulatorProcess();
    const client = new VendorClient(killed.url, 'gateway_1');
    const { transactionId, body } = payment();
    await client.charge(body);
    await killed.control.anticipate(transactionId);
    await killed.control.plantStatementErrors({
      day: TODAY,
      kind: 'duplicate',
      transaction_id: transactionId,
    });
    const { data } = await killed.control.statement('gateway_1', TODAY, transactionId);
    expect(data.map(({ kind }) => kind).toSorted()).toEqual(['anticipated', 'payout', 'sale', 'sale']);
    await killed.end('SIGKILL');
    const again = await startSimulatorProcess({ folder: killed.folder, port: killed.port });
    expect((await again.control.statement('gateway_1', TODAY, transactionId)).data).toEqual(data);
    await again.dispose();
  });
});
