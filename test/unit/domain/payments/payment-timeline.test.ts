import { manualResolutionFor } from '../../../../src/domain/payments/manual-resolution';
import { paymentTimeline, TIMELINE_LIMIT } from '../../../../src/domain/timeline/payment-timeline';
import type { TimelineFacts } from '../../../../src/domain/timeline/timeline-types';

type Attempt = TimelineFacts['attempts'][number];
type Event = TimelineFacts['events'][number];

const START = Date.parse('2026-03-02T14:05:00Z');
/** So many milliseconds after the payment was created. */
const at = (ms: number): Date => new Date(START + ms);

const PAYMENT: TimelineFacts['payment'] = {
  createdAt: at(0),
  paymentMethod: 'card',
  amountCents: 10_000,
  currency: 'BRL',
  merchantOrderId: 'order-1',
  idempotencyKey: 'key-1',
  expiresAt: null,
};

/** A charge that was approved at once, unless told otherwise. */
function attempt(change: Partial<Attempt> = {}): Attempt {
  return {
    id: 'charge',
    attempt: 1,
    operation: 'charge',
    purpose: 'charge',
    gatewaySlug: 'gateway_1',
    status: 'approved',
    amountCents: 10_000,
    targetAttemptId: null,
    routingReason: null,
    responseCode: '00',
    responseMessage: 'approved',
    declineType: null,
    errorFamily: null,
    reason: null,
    idempotencyKey: null,
    tries: 1,
    notFoundCount: 0,
    requestMs: 40,
    sentAt: at(10),
    createdAt: at(10),
    updatedAt: at(60),
    ...change,
  };
}

function event(change: Partial<Event>): Event {
  return {
    createdAt: at(61),
    status: 'approved',
    message: 'approved',
    code: null,
    capturedAmountCents: 10_000,
    refundedAmountCents: 0,
    paidAmountCents: null,
    captureBefore: null,
    ...change,
  };
}

function timelineOf(facts: Partial<TimelineFacts>) {
  return paymentTimeline({
    payment: PAYMENT,
    attempts: [],
    callbacks: [],
    events: [],
    manualReviewPeriods: [],
    auditedActions: [],
    sends: [],
    ...facts,
  });
}

/** `[ms since the creation, kind, title, detail]`, without the creation and what sends the charge. */
const read = (facts: Partial<TimelineFacts>) =>
  timelineOf(facts)
    .entries.filter(({ kind }) => kind !== 'created' && kind !== 'routed')
    .map((entry) => [entry.at.getTime() - START, entry.kind, entry.title, entry.detail]);

const SENT = [10, 'sent', 'Charge of R$ 100,00 sent to gateway_1', null];
const SAYS_NOTHING = { responseCode: null, responseMessage: null };

describe('a payment’s timeline', () => {
  it('begins with the company’s request', () => {
    expect(timelineOf({}).entries).toEqual([
      {
        at: at(0),
        kind: 'created',
        title: 'Payment created',
        detail: 'card, R$ 100,00, order order-1, idempotency key key-1',
        actor: 'company',
        attemptId: null,
      },
    ]);
  });

  it('puts an answer where it came, and not where it was noted', () => {
    expect(read({ attempts: [attempt()] })).toEqual([
      SENT,
      [50, 'gateway_accepted', 'gateway_1 approved the charge', '00 approved'],
    ]);
  });

  it.each([
    [
      'a refusal, with its class',
      { status: 'declined', responseCode: '51', responseMessage: 'insufficient funds', declineType: 'soft' },
      ['gateway_declined', 'gateway_1 declined the charge', '51 insufficient funds (soft)'],
    ],
    [
      'a failure, with its family',
      {
        status: 'error',
        errorFamily: 'rate_limited',
        responseCode: '429',
        responseMessage: 'too many requests',
      },
      ['gateway_error', 'gateway_1 did not carry out the charge', 'rate_limited: 429 too many requests'],
    ],
    [
      'a charge that never arrived',
      { status: 'error', errorFamily: 'not_sent', responseCode: null, responseMessage: 'connection refused' },
      ['not_sent', 'Charge did not reach gateway_1', 'connection refused'],
    ],
    [
      'a charge that never left',
      {
        status: 'abandoned',
        errorFamily: 'not_sent',
        responseCode: 'never_left',
        responseMessage: 'too late',
      },
      ['not_sent', 'Charge did not reach gateway_1', 'never_left too late'],
    ],
    [
      'an open question, with what was asked in vain',
      {
        status: 'unknown',
        errorFamily: 'ambiguous',
        ...SAYS_NOTHING,
        responseMessage: 'no answer',
        notFoundCount: 2,
      },
      [
        'gateway_unknown',
        'What became of the charge at gateway_1 is open',
        'no answer; not found there so far, asked 2 times',
      ],
    ],
  ] as const)('tells of %s', (_, change, [kind, title, detail]) => {
    expect(read({ attempts: [attempt(change)] })).toEqual([SENT, [50, kind, title, detail]]);
  });

  it('tells of a charge under way only that it was sent', () => {
    const attempts = [attempt({ status: 'sent', ...SAYS_NOTHING, requestMs: null })];
    expect(read({ attempts })).toEqual([SENT]);
  });

  it('tells of an answer that was lost with its worker, and then found, as of an open question', () => {
    const inquiry = attempt({
      id: 'inquiry',
      operation: 'inquiry',
      targetAttemptId: 'charge',
      createdAt: at(500),
    });
    expect(read({ attempts: [attempt({ requestMs: null }), inquiry] })).toEqual([
      SENT,
      [10, 'gateway_unknown', 'What became of the charge at gateway_1 is open', null],
      [500, 'inquired', 'gateway_1 was asked about the charge', 'it was approved'],
    ]);
  });

  it('tells that a charge given up as absent was made after all, and why its money goes back', () => {
    const attempts = [
      attempt({ status: 'refunded', errorFamily: 'ambiguous' }),
      attempt({
        id: 'inquiry',
        operation: 'inquiry',
        status: 'abandoned',
        targetAttemptId: 'charge',
        createdAt: at(500),
      }),
      attempt({
        id: 'reversal',
        operation: 'refund',
        purpose: 'reversal',
        status: 'refunded',
        responseMessage: 'refunded',
        createdAt: at(900),
        sentAt: at(910),
        updatedAt: at(999),
      }),
    ];
    expect(read({ attempts }).slice(2)).toEqual([
      [500, 'inquired', 'gateway_1 was asked about the charge', 'it never arrived there'],
      [900, 'requested', 'Refund of R$ 100,00 asked for', 'the charge came through after it was given up'],
      [910, 'sent', 'Refund of R$ 100,00 sent to gateway_1', null],
      [950, 'gateway_accepted', 'gateway_1 carried out the refund', '00 refunded'],
    ]);
  });

  it('tells that a charge given up as absent was made after all, and counts', () => {
    const inquiry = { id: 'inquiry', operation: 'inquiry', status: 'abandoned' } as const;
    const attempts = [
      attempt({ updatedAt: at(900) }),
      attempt({ ...inquiry, targetAttemptId: 'charge', createdAt: at(500) }),
    ];
    expect(read({ attempts }).at(-1)).toEqual([
      900,
      'gateway_accepted',
      'gateway_1 approved the charge after all',
      '00 approved',
    ]);
  });

  it('tells of an operation that is sent again because it had not arrived', () => {
    const refund = { id: 'refund', operation: 'refund', purpose: 'command', amountCents: 500 } as const;
    const again = { ...refund, status: 'refunded', tries: 2, sentAt: at(400), updatedAt: at(450) } as const;
    expect(read({ attempts: [attempt(again)] })).toEqual([
      [10, 'requested', 'Refund of R$ 5,00 asked for', null],
      [400, 'sent', 'Refund of R$ 5,00 sent to gateway_1', 'again, since it had not arrived: 2 times in all'],
      [440, 'gateway_accepted', 'gateway_1 carried out the refund', '00 approved'],
    ]);
  });

  it('tells of an operation that the payment’s state forbade when its turn came', () => {
    const capture = { id: 'capture', operation: 'capture', purpose: 'command', sentAt: null } as const;
    const refused = {
      status: 'error',
      responseCode: 'invalid_state',
      responseMessage: 'The payment is canceled.',
    } as const;
    expect(read({ attempts: [attempt({ ...capture, ...refused })] })).toEqual([
      [10, 'requested', 'Capture of R$ 100,00 asked for', null],
      [60, 'not_sent', 'Capture was not sent', 'The payment is canceled.'],
    ]);
  });

  it('names the admin who asked for an operation, and the one who said what became of it', () => {
    const refund = attempt({
      id: 'refund',
      operation: 'refund',
      purpose: 'command',
      status: 'refunded',
      errorFamily: 'ambiguous',
      reason: 'broken',
      idempotencyKey: 'key-2',
    });
    const auditedActions: TimelineFacts['auditedActions'] = [
      { at: at(10), action: 'payment.refund', email: 'maria@example.com', changes: { attempt_id: 'refund' } },
      {
        at: at(900),
        action: 'payment.resolve',
        email: 'joao@example.com',
        changes: { attempt_id: 'refund', outcome: 'paid', reason: 'seen there' },
      },
    ];
    const entries = timelineOf({ attempts: [refund], auditedActions }).entries.slice(1);
    expect(entries.map(({ kind, actor, detail }) => [kind, actor, detail])).toEqual([
      ['requested', 'admin', 'by maria@example.com, reason: broken, idempotency key key-2'],
      ['sent', 'system', null],
      ['gateway_unknown', 'system', null],
      ['resolved', 'admin', 'seen there'],
    ]);
  });

  it('tells of a person’s word also where it was given elsewhere', () => {
    const resolved = attempt({
      errorFamily: 'ambiguous',
      responseCode: null,
      responseMessage: 'resolved by a person as paid: seen there',
      updatedAt: at(900),
    });
    expect(read({ attempts: [resolved] }).at(-1)).toEqual([
      900,
      'resolved',
      'A person said what became of the charge',
      'resolved by a person as paid: seen there',
    ]);
  });

  it.each([
    [
      event({ status: 'failed', code: 'declined', message: 'lost card' }),
      ['payment_failed', 'Payment failed', 'lost card'],
    ],
    [
      event({ status: 'failed', code: 'expired', message: 'expired' }),
      ['payment_expired', 'Payment expired', null],
    ],
    [event({ status: 'canceled', message: 'canceled' }), ['payment_canceled', 'Payment canceled', null]],
    [
      event({ status: 'refunded', refundedAmountCents: 10_000 }),
      ['payment_refunded', 'Payment refunded', null],
    ],
    [
      event({ status: 'pending', paidAmountCents: 4_000, capturedAmountCents: 0 }),
      ['payment_underpaid', 'Paid in part', 'R$ 40,00 of R$ 100,00 paid'],
    ],
    [event({ paidAmountCents: 12_000 }), ['payment_paid', 'Paid', 'R$ 120,00 instead of R$ 100,00']],
    [
      event({ paidAmountCents: 4_000, capturedAmountCents: 4_000 }),
      ['payment_approved', 'Payment approved', 'R$ 40,00 of R$ 100,00 taken'],
    ],
  ])('tells what became of the payment, by its event %#', (happened, words) => {
    const payment = { ...PAYMENT, paymentMethod: 'pix' } as const;
    expect(read({ payment, events: [happened] })).toEqual([[61, ...words]]);
  });

  it('has what happened in one millisecond as one thing led to the other', () => {
    const together = at(10);
    const { entries } = timelineOf({
      payment: { ...PAYMENT, createdAt: together },
      attempts: [attempt({ requestMs: 0, updatedAt: together })],
      callbacks: [
        {
          attemptId: 'charge',
          gatewaySlug: 'gateway_1',
          kind: 'status',
          trusted: true,
          receivedAt: together,
        },
      ],
      events: [event({ createdAt: together })],
      sends: [
        {
          event: 'transaction.approved',
          endpointId: 1,
          startedAt: together,
          durationMs: 1,
          statusCode: 200,
          error: null,
        },
      ],
    });
    expect(entries.map(({ kind }) => kind)).toEqual([
      'created',
      'callback',
      'routed',
      'sent',
      'gateway_accepted',
      'payment_approved',
      'webhook_delivered',
    ]);
  });

  it('keeps the newest, and says that there was more', () => {
    const visits = Array.from({ length: TIMELINE_LIMIT }, (_, index) => ({
      startedAt: at(index + 1),
      endedAt: null,
    }));
    const { entries, complete } = timelineOf({ manualReviewPeriods: visits });
    expect([entries.length, complete, entries[0]?.kind]).toEqual([TIMELINE_LIMIT, false, 'desk_entered']);
    expect(timelineOf({ manualReviewPeriods: visits.slice(1) }).complete).toBe(true);
  });
});

describe('the question on the desk', () => {
  const stuck = { stuckAt: at(999), amountCents: 10_000, paidAmountCents: null, currency: 'BRL' };
  const lost = { ...attempt({ status: 'unknown' }), reference: 'ref-1' };

  it('is none while no person is asked', () => {
    expect(manualResolutionFor({ ...stuck, stuckAt: null }, [lost])).toBeNull();
    expect(manualResolutionFor(stuck, [{ ...lost, status: 'declined' }])).toBeNull();
  });

  it('is what became of the first operation without a certain result', () => {
    const charge = { ...lost, id: 'first', status: 'approved' } as const;
    const refund = { ...lost, id: 'refund', operation: 'refund', amountCents: 500 } as const;
    expect(manualResolutionFor(stuck, [charge, refund, { ...refund, id: 'later' }])).toEqual({
      attemptId: 'refund',
      gateway: 'gateway_1',
      operation: 'refund',
      since: at(999),
      question: 'What became of the refund of R$ 5,00 at gateway_1? Its reference there is ref-1.',
    });
  });

  it.each([
    [4_000, 'Its time is over and R$ 40,00 of R$ 100,00 was paid: does it count as paid?'],
    [null, 'Was it paid in time? gateway_1 does not tell.'],
  ])(
    'is whether a pix of which %s was paid counts as paid, once its time is over',
    (paidAmountCents, question) => {
      const waiting = { ...lost, status: 'pending' } as const;
      expect(manualResolutionFor({ ...stuck, paidAmountCents }, [waiting])).toMatchObject({ question });
    },
  );
});
