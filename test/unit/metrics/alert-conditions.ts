const CALLS = 'payment_engine_gateway_call_duration_seconds_count';
const AT_GATEWAY = 'gateway="gateway_1",vendor="stripe"';

/** A series with its values, one a minute, in promtool's notation: `0+6x60` starts at 0 and grows by 6 sixty times. */
type InputSeries = readonly [series: string, values: string];

/** A histogram in which every observation is between the two last bounds given. */
function slow(name: string, labels: string, lower: string, upper: string): InputSeries[] {
  const at = (le: string): string => `${name}_bucket{${labels}${labels === '' ? '' : ','}le="${le}"}`;
  return [
    [at(lower), '0+0x60'],
    [at(upper), '0+60x60'],
    [at('+Inf'), '0+60x60'],
  ];
}

const readable: InputSeries = ['payment_engine_backlog_readable{job="payment-engine"}', '1+0x60'];
const waits = (kind: string, seconds: number): InputSeries => [
  `payment_engine_backlog_oldest_age_seconds{kind="${kind}"}`,
  `${seconds}+0x60`,
];
const items = (kind: string, count: number): InputSeries => [
  `payment_engine_backlog_items{kind="${kind}"}`,
  `${count}+0x60`,
];
const request = (status: string, perMinute: number): InputSeries => [
  `payment_engine_http_request_duration_seconds_count{route="createCardPayment",status="${status}"}`,
  `0+${perMinute}x60`,
];
const call = (operation: string, outcome: string, perMinute: number): InputSeries => [
  `${CALLS}{${AT_GATEWAY},operation="${operation}",outcome="${outcome}"}`,
  `0+${perMinute}x60`,
];

/** What a healthy deployment exports. */
export const HEALTHY: readonly InputSeries[] = [
  ['up{job="payment-engine",instance="a"}', '1+0x60'],
  readable,
  request('2xx', 1000),
  request('5xx', 5),
  call('charge', 'approved', 90),
  call('charge', 'declined', 10),
  call('charge', 'ambiguous', 1),
  waits('payment_review', 60),
  waits('payment_inquiry', 30),
  waits('callback', 1),
  waits('payment_overdue', 2),
  items('webhook', 100),
  items('renewal_held', 0),
  ['payment_engine_gateway_circuits_open{gateway="gateway_1"}', '0+0x60'],
  ['nodejs_eventloop_lag_p99_seconds{instance="a"}', '0.02+0x60'],
  ...slow('payment_engine_postgres_pool_wait_seconds', 'instance="a"', '0', '0.001'),
  ...slow('temporal_workflow_task_schedule_to_start_latency_seconds', 'task_queue="payments"', '0.05', '0.1'),
];

/** For each alert, what makes its condition true. All else is missing. */
export const CONDITIONS: Readonly<Record<string, readonly InputSeries[]>> = {
  PaymentEngineProcessDown: [['up{job="payment-engine",instance="a"}', '0+0x60'], readable],
  PaymentEngineMetricsMissing: [],
  PaymentEngineDatabaseUnreadable: [['payment_engine_backlog_readable{job="payment-engine"}', '0+0x60']],
  PaymentEngineRequestsFail: [readable, request('2xx', 98), request('5xx', 2)],
  PaymentEnginePaymentsSlow: [
    readable,
    ...slow('payment_engine_http_request_duration_seconds', 'route="createCardPayment"', '5', '10'),
  ],
  PaymentEngineOutcomesUnknown: [readable, call('charge', 'ambiguous', 6), call('charge', 'approved', 94)],
  PaymentEngineApprovalsLow: [readable, call('charge', 'declined', 8), call('charge', 'approved', 2)],
  PaymentEngineCredentialsRejected: [
    readable,
    call('charge', 'bad_credentials', 1),
    call('charge', 'approved', 9),
  ],
  PaymentEngineCircuitsOpen: [
    readable,
    ['payment_engine_gateway_circuits_open{gateway="gateway_1"}', '1+0x60'],
  ],
  PaymentEnginePaymentsWaitForPerson: [readable, waits('payment_review', 3_700)],
  PaymentEnginePaymentsWaitForInquiry: [readable, waits('payment_inquiry', 400)],
  PaymentEngineCallbacksUnprocessed: [readable, waits('callback', 400)],
  PaymentEngineWorkNotPickedUp: [readable, waits('webhook_overdue', 70)],
  PaymentEngineWebhooksPileUp: [readable, items('webhook', 6_000)],
  PaymentEngineRenewalsHeld: [readable, items('renewal_held', 1)],
  PaymentEngineSweeperFails: [readable, ['payment_engine_sweeper_failures_total{kind="payment"}', '0+1x60']],
  PaymentEngineActivitiesRetried: [
    readable,
    ['payment_engine_activity_retries_total{activity="attemptPayment"}', '0+60x60'],
  ],
  PaymentEnginePoolExhausted: [
    readable,
    ...slow('payment_engine_postgres_pool_wait_seconds', 'instance="a"', '0.1', '0.5'),
  ],
  PaymentEngineWorkflowTasksLate: [
    readable,
    ...slow('temporal_workflow_task_schedule_to_start_latency_seconds', 'task_queue="payments"', '1', '5'),
  ],
  PaymentEngineEventLoopBlocked: [readable, ['nodejs_eventloop_lag_p99_seconds{instance="a"}', '1+0x60']],
};
