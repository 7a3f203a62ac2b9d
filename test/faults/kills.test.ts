import { FaultStack, PATIENT_DESK, WORKERS } from './support/fault-stack';
import { searchForSecrets } from './support/canaries';
import { untilSettled, violations } from './support/invariants';
import { Merchant, resultOf } from './support/merchant';
import { Person } from './support/person';
import { planAround, VICTIMS } from './support/plan';
import { RECOVERED_WITHIN_MS } from './support/recovery';
import { Round, type RoundReport } from './support/round';

const PLATFORM_CLIENT_ID = 'platform-merchant';
const SEED = 20_261_121;

let stack: FaultStack;
let platformMerchant: Merchant;
beforeAll(async () => {
  stack = await FaultStack.start({
    settings: { PLATFORM_GATEWAY_COMPANIES: PLATFORM_CLIENT_ID, ...PATIENT_DESK },
  });
  platformMerchant = await Merchant.register(stack, ['gateway_1'], PLATFORM_CLIENT_ID);
}, 300_000);
afterAll(() => stack.stop(), 30_000);

describe(`parts killed under a stream of payments (seed ${SEED})`, () => {
  const victims = VICTIMS.filter((victim) => victim !== 'one worker');
  let report: RoundReport;
  beforeAll(async () => {
    const plan = planAround(
      SEED,
      victims.map((victim) => ({ kind: 'kill' as const, victim })),
    );
    report = await Round.play(stack, plan, platformMerchant);
  }, 180_000);

  it.each(victims.map((victim, act) => [victim, act] as const))(
    'payments flow again within 15 s of kill -9 of the %s',
    (_, act) => {
      expect(report.recoveries[act]?.ms).toBeLessThan(RECOVERED_WITHIN_MS);
    },
  );

  it('every acknowledged payment ends once, as the ledger says, with one answer for its key', () => {
    expect(report.violations).toEqual([]);
  });

  it('no card number, CVV, API key or gateway secret is in any log, table, file or history', async () => {
    const known = `order-${report.orders[0]?.amount}`;
    const { leaks, sightings } = await searchForSecrets(stack, report.merchants, known);
    expect(leaks).toEqual([]);
    const kinds = [
      'table payments',
      'history of payment/',
      'decoded history of payment/',
      'cluster',
      'temporal.db',
    ];
    for (const kind of kinds) expect(sightings).toContainEqual(expect.stringContaining(kind));
  }, 60_000);
});

it('an answer that Postgres could not take travels with the retry: at gateway_3 nobody need be asked', async () => {
  const person = new Person(stack);
  const merchant = await Merchant.register(stack, ['gateway_3', 'gateway_4']);
  const order = merchant.order();
  const trap = stack.arm('gateway-answered', 'stop', WORKERS);
  const paying = merchant.pay(order);
  const worker = await trap.sprung();
  await stack.kill('postgres');
  stack.thaw(worker);
  await paying;
  await untilSettled(stack, [order]);
  await person.leave();
  expect(person.asked.size).toBe(0);
  expect(resultOf(order)?.transactions).toMatchObject([{ gateway: 'gateway_3', status: 'approved' }]);
  expect(await violations(stack, [order], person)).toEqual([]);
  expect(await triesOfFirstActivity(resultOf(order)?.transaction_id ?? '')).toBeGreaterThan(1);
}, 60_000);

/** How often the payment's first activity ran until it could complete. */
async function triesOfFirstActivity(transactionId: string): Promise<number> {
  const { events } = await stack.temporal.workflow.getHandle(`payment/${transactionId}`).fetchHistory();
  const started = events?.find((event) => event.activityTaskStartedEventAttributes);
  return started?.activityTaskStartedEventAttributes?.attempt ?? 0;
}
