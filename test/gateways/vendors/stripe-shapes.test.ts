import { signatureOf } from '../../../src/simulator/vendors/stripe/events';
import { OpenApiCheck, type OpenApi, shapeDifferences } from './open-api-check';
import { describeWithOracle } from '../../support/vendors/oracles';
import { CARDS, errorOf, StripeBench, StripePayment } from './stripe-bench';

let bench: StripeBench;
beforeAll(async () => {
  bench = await StripeBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new StripePayment(bench.sdk());
const get = async (path: string): Promise<unknown> => JSON.parse((await bench.send('GET', path)).text);
const EXPAND = 'expand[]=latest_charge.refunds';
const intentOf = async (id: string): Promise<unknown> => get(`payment_intents/${id}?${EXPAND}`);

/** PaymentIntents of every kind, by name. */
async function intents(): Promise<Map<string, string>> {
  const authorized = await newPayment().pay({ capture_method: 'manual' });
  const captured = await newPayment().pay({ capture_method: 'manual' });
  await bench.sdk().paymentIntents.capture(captured.id, { amount_to_capture: 4_000 });
  const canceled = await newPayment().pay({ capture_method: 'manual' });
  await bench.sdk().paymentIntents.cancel(canceled.id, { cancellation_reason: 'requested_by_customer' });
  const refunded = await newPayment().pay();
  await bench.sdk().refunds.create({ payment_intent: refunded.id });
  const declined = await errorOf(newPayment().pay({}, { number: CARDS.advice }));
  const pix = await newPayment().pay({ payment_method_data: { type: 'pix' } });
  return new Map([
    ...Object.entries({ authorized, captured, canceled, refunded, pix }).map(
      ([name, { id }]) => [name, id] as const,
    ),
    ['declined', declined.payment_intent?.id ?? ''],
  ]);
}

it('an answer tells the request’s id and the version of the API', async () => {
  const { headers } = await bench.send('GET', 'balance');
  expect(headers.get('request-id')).toMatch(/^req_/);
  expect(headers.get('stripe-version')).toBe('2026-08-26.dahlia');
});

describeWithOracle('stripe/spec3.subset.json', 'the schemas of Stripe’s API', (content) => {
  const check = new OpenApiCheck(content as OpenApi);

  it('hold for PaymentIntents and charges in every state', async () => {
    const problems: Record<string, string[]> = {};
    for (const [name, id] of await intents())
      problems[name] = check.problems(await intentOf(id), 'payment_intent');
    expect(Object.values(problems).flat()).toEqual([]);
  });

  it('hold for SetupIntents in every state, and for the error of a declined one', async () => {
    const setup = await newPayment().setUp();
    const waiting = newPayment();
    await bench.control.script({ transaction_id: waiting.reference }, { decline_class: 'auth_required' });
    const { id } = await waiting.setUp();
    const states = [await get(`setup_intents/${setup.id}`), await get(`setup_intents/${id}`)];
    await bench.sdk().setupIntents.cancel(id, { cancellation_reason: 'abandoned' });
    const declined = await errorOf(newPayment().setUp(CARDS.advice));
    const problems = [
      ...[...states, await get(`setup_intents/${id}`)].flatMap((object) =>
        check.problems(object, 'setup_intent'),
      ),
      ...check.problems(declined.setup_intent, 'setup_intent'),
      ...check.problems({ error: errorBody(declined) }, 'error'),
    ];
    expect(problems).toEqual([]);
  });

  it('hold for refunds, payment methods, errors, accounts, balance and events', async () => {
    const { id } = await newPayment().pay();
    const refund = await bench.sdk().refunds.create({ payment_intent: id });
    const method = await newPayment().method();
    const declined = await errorOf(newPayment().pay({}, { number: CARDS.advice }));
    const account = await bench.sdk().accounts.create({ email: 'loja@example.com' });
    const problems = [
      ...check.problems(await get(`refunds/${refund.id}`), 'refund'),
      ...check.problems(await get(`payment_methods/${method}`), 'payment_method'),
      ...check.problems({ error: errorBody(declined) }, 'error'),
      ...check.problems(await get(`accounts/${account.id}`), 'account'),
      ...check.problems(await get('account'), 'account'),
      ...check.problems(await get('balance'), 'balance'),
      ...bench.received.flatMap(({ event }) => check.problems(event, 'event')),
    ];
    expect(problems).toEqual([]);
  });
});

/** What the answer had below `error`; the SDK adds fields of its own. */
function errorBody({ raw }: { raw: unknown }): object {
  const own = new Set(['headers', 'requestId', 'statusCode']);
  return Object.fromEntries(Object.entries(raw as object).filter(([name]) => !own.has(name)));
}

/** Keys of older versions of the API, and of newer ones. */
const OF_ONE_VERSION = new Set([
  ...[
    'invoice',
    'order',
    'destination',
    'dispute',
    'source',
    'has_more',
    'total_count',
    'url',
    'application_fee',
  ],
  ...[
    'amount_captured',
    'amount_details',
    'automatic_payment_methods',
    'calculated_statement_descriptor',
    'capture_before',
  ],
  ...[
    'customer_account',
    'display_brand',
    'disputed',
    'regulated_status',
    'networks',
    'excluded_payment_method_types',
    'failure_balance_transaction',
    'processing',
  ],
  ...['payment_method_configuration_details', 'statement_descriptor_suffix', 'tax_id', 'advice_code', 'rule'],
  ...[
    'network_advice_code',
    'network_decline_code',
    'amount_authorized',
    'authorization_code',
    'installments',
    'mandate',
  ],
  ...['network', 'network_token', 'network_transaction_id', 'payment_method_options', 'metadata', 'refunds'],
  ...[
    'allow_redisplay',
    'receipt_url',
    'risk_score',
    'generated_from',
    'checks',
    'country',
    'fingerprint',
    'funding',
  ],
  ...['three_d_secure_usage', 'wallet'],
]);

describe.each([
  ['successful-create-intent', 'authorized'],
  ['successful-capture', 'captured'],
  ['successful-void', 'canceled'],
])('the recorded answer %s', (recording, name) => {
  describeWithOracle(`recorded/stripe/${recording}.json`, 'has the keys and types', (content) => {
    it('of the fake’s answer', async () => {
      const id = (await intents()).get(name) ?? '';
      const { body } = content as { body: unknown };
      expect(shapeDifferences(body, await intentOf(id), OF_ONE_VERSION)).toEqual([]);
    });
  });
});

describeWithOracle('recorded/stripe/successful-verify.json', 'the recorded SetupIntent', (content) => {
  it('has the keys and types of the fake’s', async () => {
    const { body } = content as { body: unknown };
    const { id } = await newPayment().setUp();
    const extra = new Set([...OF_ONE_VERSION, 'latest_attempt', 'flow_directions', 'mandate_options']);
    expect(shapeDifferences(body, await get(`setup_intents/${id}`), extra)).toEqual([]);
  });
});

describeWithOracle('recorded/stripe/failed-capture.json', 'the recorded decline', (content) => {
  it('has the keys and types of the fake’s answer', async () => {
    const { body } = content as { body: { error: unknown } };
    const error = errorBody(await errorOf(newPayment().pay({}, { number: CARDS.declined })));
    expect(shapeDifferences(body.error, error, OF_ONE_VERSION)).toEqual([]);
  });
});

describeWithOracle('webhook-vectors/stripe.json', 'the signed webhooks of Stripe’s SDK', (content) => {
  it('have the fake’s signature', () => {
    const { secret, cases } = content as {
      secret: string;
      cases: { case: string; body: string; header: string; now: number }[];
    };
    const right = cases.find((each) => each.case === 'right');
    const made = signatureOf(Buffer.from(right?.body ?? ''), secret, new Date((right?.now ?? 0) * 1_000));
    expect(made).toBe(right?.header);
  });
});
