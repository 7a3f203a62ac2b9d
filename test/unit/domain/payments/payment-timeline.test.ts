import { manualResolutionFor } from '../../../../src/domain/payments/manual-resolution';
import { pending } from './payment-states';
import { paymentTimeline, TIMELINE_LIMIT } from '../../../../src/domain/timeline/payment-timeline';
import type { TimelineFacts } from '../../../../src/domain/timeline/timeline-types';

type Attempt = TimelineFacts['attempts'][number];
type Event = TimelineFacts['events'][number];

const START = Date.parse('2026-03-02T14:05:00Z');
/** The instant that many milliseconds after the payment was created. */
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

/** A charge that was approved at once, with the given changes. */
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
    sendCount: 1,
    notFoundCount: 0,
    requestMs: 40,
    sentAt: at(10),
    awaitedSince: null,
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

/** `[ms since creation, kind, title, detail]`, without the creation and routing entries. */
const read = (facts: Partial<TimelineFacts>) =>
  timelineOf(facts)
    .entries.filter(({ kind }) => kind !== 'created' && kind !== 'routed')
    .map((entry) => [entry.at.getTime() - START, entry.kind, entry.title, entry.detail]);

const SENT = [10, 'sent', 'Charge of R$ 100,00 sent to gateway_1', null];
const NO_RESPONSE = { responseCode: null, responseMessage: null };

describe('the timeline of a payment', () => {
  it('the timeline starts with the request of the company', () => {
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

  it('an answer has the time it arrived, not the time it was recorded', () => {
    expect(read({ attempts: [attempt()] })).toEqual([
      SENT,
      [50, 'gateway_accepted', 'gateway_1 approved the charge', '00 approved'],
    ]);
  });

  it.each([
    [
      'a decline with its class',
      { status: 'declined', responseCode: '51', responseMessage: 'insufficient funds', declineType: 'soft' },
      ['gateway_declined', 'gateway_1 declined the charge', '51 insufficient funds (soft)'],
    ],
    [
      'an error with its family',
      {
        status: 'error',
        errorFamily: 'rate_limited',
        responseCode: '429',
        responseMessage: 'too many requests',
      },
      ['gateway_error', 'gateway_1 did not complete the charge', 'rate_limited: 429 too many requests'],
    ],
    [
      'a charge that never arrived',
      { status: 'error', errorFamily: 'not_sent', responseCode: null, responseMessage: 'connection refused' },
      ['not_sent', 'Charge did not reach gateway_1', 'connection refused'],
    ],
    [
      'a charge that was not sent',
      {
        status: 'abandoned',
        errorFamily: 'not_sent',
        responseCode: 'not_sent_locally',
        responseMessage: 'too late',
      },
      ['not_sent', 'Charge did not reach gateway_1', 'not_sent_locally too late'],
    ],
    [
      'an unknown outcome with its inquiries',
      {
        status: 'unknown',
        errorFamily: 'ambiguous',
        ...NO_RESPONSE,
        responseMessage: 'no answer',
        notFoundCount: 2,
      },
      [
        'gateway_unknown',
        'The outcome of the charge at gateway_1 is unknown',
        'no answer; not found in 2 inquiries',
      ],
    ],
  ] as const)('the timeline shows %s', (_, change, [kind, title, detail]) => {
    expect(read({ attempts: [attempt(change)] })).toEqual([SENT, [50, kind, title, detail]]);
  });

  it('an unfinished charge only has an entry for its sending', () => {
    const attempts = [attempt({ status: 'sent', ...NO_RESPONSE, requestMs: null })];
    expect(read({ attempts })).toEqual([SENT]);
  });

  it('an answer that was lost with its worker is shown as unknown until the inquiry found it', () => {
    const inquiry = attempt({
      id: 'inquiry',
      operation: 'inquiry',
      targetAttemptId: 'charge',
      createdAt: at(500),
    });
    expect(read({ attempts: [attempt({ requestMs: null }), inquiry] })).toEqual([
      SENT,
      [10, 'gateway_unknown', 'The outcome of the charge at gateway_1 is unknown', null],
      [500, 'inquired', 'Inquiry to gateway_1 about the charge', 'approved'],
    ]);
  });

  it('the reversal of a charge that was approved after it was abandoned has the reason', () => {
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
      [500, 'inquired', 'Inquiry to gateway_1 about the charge', 'never received'],
      [
        900,
        'requested',
        'Refund of R$ 100,00 requested',
        'the charge was approved after it was recorded as not made',
      ],
      [910, 'sent', 'Refund of R$ 100,00 sent to gateway_1', null],
      [950, 'gateway_accepted', 'gateway_1 completed the refund', '00 refunded'],
    ]);
  });

  it('an abandoned charge that was accepted late is shown as approved late', () => {
    const inquiry = { id: 'inquiry', operation: 'inquiry', status: 'abandoned' } as const;
    const attempts = [
      attempt({ updatedAt: at(900) }),
      attempt({ ...inquiry, targetAttemptId: 'charge', createdAt: at(500) }),
    ];
    expect(read({ attempts }).at(-1)).toEqual([
      900,
      'gateway_accepted',
      'gateway_1 approved the charge late',
      '00 approved',
    ]);
  });

  it('an operation that was sent again shows how often it was sent', () => {
    const refund = {
      id: 'refund',
      operation: 'refund',
      purpose: 'merchant_request',
      amountCents: 500,
    } as const;
    const again = {
      ...refund,
      status: 'refunded',
      sendCount: 2,
      sentAt: at(400),
      updatedAt: at(450),
    } as const;
    expect(read({ attempts: [attempt(again)] })).toEqual([
      [10, 'requested', 'Refund of R$ 5,00 requested', null],
      [
        400,
        'sent',
        'Refund of R$ 5,00 sent to gateway_1',
        'sent 2 times, because gateway_1 had not received it',
      ],
      [440, 'gateway_accepted', 'gateway_1 completed the refund', '00 approved'],
    ]);
  });

  const accepted = {
    id: 'refund',
    operation: 'refund',
    purpose: 'merchant_request',
    amountCents: 500,
    awaitedSince: at(50),
    responseMessage: 'pending',
  } as const;
  const inquiry = (status: Attempt['status'], ms: number) =>
    attempt({
      id: `inquiry-${ms}`,
      operation: 'inquiry',
      status,
      targetAttemptId: 'refund',
      createdAt: at(ms),
    });

  it('an operation that its gateway accepted shows that, and then the inquiry that found its result', () => {
    const waiting = attempt({ ...accepted, status: 'accepted' });
    expect(read({ attempts: [waiting] }).at(-1)).toEqual([
      ...[50, 'gateway_accepted', 'gateway_1 accepted the refund', 'the result comes later'],
    ]);
    const done = attempt({ ...accepted, status: 'refunded', updatedAt: at(900) });
    expect(read({ attempts: [done, inquiry('refunded', 900)] }).slice(2)).toEqual([
      [50, 'gateway_accepted', 'gateway_1 accepted the refund', 'the result comes later'],
      [900, 'inquired', 'Inquiry to gateway_1 about the refund', 'refunded'],
    ]);
  });

  it('a result that a signed callback told is not shown as an inquiry', () => {
    const done = attempt({ ...accepted, status: 'refunded', updatedAt: at(900) });
    const told = { ...inquiry('refunded', 900), responseMessage: 'reported by a signed callback' };
    expect(read({ attempts: [done, told] }).at(-1)).toEqual([
      ...[900, 'inquired', 'Signed callback of gateway_1 about the refund', 'refunded'],
    ]);
    const refused = { ...told, status: 'declined', responseCode: null, declineType: 'soft' } as const;
    expect(read({ attempts: [{ ...done, status: 'declined' }, refused] }).at(-1)?.[3]).toBe('declined');
  });

  it('a refused operation has its reason, but no class, which is about charging the card again', () => {
    const done = attempt({ ...accepted, status: 'declined', updatedAt: at(900) });
    const told = { responseCode: '57', responseMessage: 'not permitted', declineType: 'hard' } as const;
    const refused = { ...inquiry('declined', 900), ...told };
    expect(read({ attempts: [done, refused] }).at(-1)?.[3]).toBe('declined: 57 not permitted');
  });

  it('an operation of unknown outcome that an inquiry found accepted shows both inquiries', () => {
    const done = attempt({ ...accepted, status: 'refunded', requestMs: null, updatedAt: at(900) });
    const attempts = [done, inquiry('pending', 500), inquiry('refunded', 900)];
    expect(read({ attempts }).slice(2)).toEqual([
      [10, 'gateway_unknown', 'The outcome of the refund at gateway_1 is unknown', null],
      [500, 'inquired', 'Inquiry to gateway_1 about the refund', 'accepted, the result comes later'],
      [900, 'inquired', 'Inquiry to gateway_1 about the refund', 'refunded'],
    ]);
  });

  it('an operation that the state no longer allowed is shown as not sent', () => {
    const capture = {
      id: 'capture',
      operation: 'capture',
      purpose: 'merchant_request',
      sentAt: null,
    } as const;
    const rejected = {
      status: 'error',
      responseCode: 'invalid_state',
      responseMessage: 'The payment is canceled.',
    } as const;
    expect(read({ attempts: [attempt({ ...capture, ...rejected })] })).toEqual([
      [10, 'requested', 'Capture of R$ 100,00 requested', null],
      [60, 'not_sent', 'Capture was not sent', 'The payment is canceled.'],
    ]);
  });

  it('the users who requested and resolved an operation are named', () => {
    const refund = attempt({
      id: 'refund',
      operation: 'refund',
      purpose: 'merchant_request',
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

  it('a resolution without an audit entry is shown too', () => {
    const resolved = attempt({
      errorFamily: 'ambiguous',
      responseCode: null,
      responseMessage: 'resolved by an operator as paid: seen there',
      updatedAt: at(900),
    });
    expect(read({ attempts: [resolved] }).at(-1)).toEqual([
      900,
      'resolved',
      'An operator resolved the charge',
      'resolved by an operator as paid: seen there',
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
      ['payment_underpaid', 'Partially paid', 'R$ 40,00 of R$ 100,00 paid'],
    ],
    [event({ paidAmountCents: 12_000 }), ['payment_paid', 'Paid', 'R$ 120,00 instead of R$ 100,00']],
    [
      event({ paidAmountCents: 4_000, capturedAmountCents: 4_000 }),
      ['payment_approved', 'Payment approved', 'R$ 40,00 of R$ 100,00 captured'],
    ],
  ])('each event has an entry for its status, case %#', (published, entry) => {
    const payment = { ...PAYMENT, paymentMethod: 'pix' } as const;
    expect(read({ payment, events: [published] })).toEqual([[61, ...entry]]);
  });

  it.each(['failed', 'canceled'] as const)(
    'a part that is paid after a payment was %s, and its refund, have entries of their own',
    (status) => {
      const ended = { status, code: status === 'failed' ? 'expired' : null, capturedAmountCents: 0 } as const;
      const payment = { ...PAYMENT, paymentMethod: 'pix' } as const;
      const events = [
        event(ended),
        event({ ...ended, paidAmountCents: 4_000 }),
        event({ ...ended, paidAmountCents: 4_000, refundedAmountCents: 1_000 }),
      ];
      expect(read({ payment, events }).slice(1)).toEqual([
        [61, 'payment_underpaid', 'Partially paid late', 'R$ 40,00 of R$ 100,00 paid'],
        [61, 'payment_refunded', 'Payment partially refunded', 'R$ 10,00 of R$ 40,00 refunded so far'],
      ]);
    },
  );

  it('what an inquiry found at the gateway has an entry of its own, and says nothing about the charge', () => {
    const found = { purpose: 'found_at_gateway', targetAttemptId: 'charge', sentAt: null } as const;
    const attempts = [
      attempt(),
      attempt({
        ...found,
        id: 'refund',
        operation: 'refund',
        status: 'refunded',
        amountCents: 400,
        createdAt: at(900),
      }),
      attempt({
        ...{ ...found, id: 'inquiry', operation: 'inquiry', status: 'approved', createdAt: at(950) },
        responseMessage: 'Gateway: approved. Records: refunded.',
      }),
    ];
    const [whole, alone] = [read({ attempts }), read({ attempts: attempts.slice(0, 1) })];
    expect(whole.slice(0, -2)).toEqual(alone);
    expect(whole.slice(-2)).toEqual([
      [900, 'made_at_gateway', 'Refund of R$ 4,00 made at gateway_1', 'not requested here'],
      [950, 'contradicted', 'gateway_1 contradicts the records', 'Gateway: approved. Records: refunded.'],
    ]);
  });

  it('entries of the same millisecond are in order of cause and effect', () => {
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

  it('a timeline over the limit keeps the newest entries and is marked incomplete', () => {
    const periods = Array.from({ length: TIMELINE_LIMIT }, (_, index) => ({
      startedAt: at(index + 1),
      endedAt: null,
    }));
    const { entries, complete } = timelineOf({ manualReviewPeriods: periods });
    expect([entries.length, complete, entries[0]?.kind]).toEqual([
      TIMELINE_LIMIT,
      false,
      'manual_review_started',
    ]);
    expect(timelineOf({ manualReviewPeriods: periods.slice(1) }).complete).toBe(true);
  });
});

describe('manualResolutionFor', () => {
  const stuck = { ...pending(), stuckAt: at(999), currency: 'BRL' };
  const unknown = { ...attempt({ status: 'unknown' }), reference: 'ref-1', escalatedAt: at(999) };

  it('there is no question while the payment does not wait for an operator', () => {
    expect(manualResolutionFor({ ...stuck, stuckAt: null }, [unknown])).toBeNull();
    expect(manualResolutionFor(stuck, [{ ...unknown, status: 'declined' }])).toBeNull();
  });

  it('the question is not about an attempt whose gateway is still expected to answer', () => {
    const young = { ...unknown, id: 'young', escalatedAt: null };
    expect(manualResolutionFor(stuck, [young, unknown])?.attemptId).toBe(unknown.id);
  });

  it('the question is about the first attempt of unknown outcome', () => {
    const charge = { ...unknown, id: 'first', status: 'approved' } as const;
    const refund = { ...unknown, id: 'refund', operation: 'refund', amountCents: 500 } as const;
    expect(manualResolutionFor(stuck, [charge, refund, { ...refund, id: 'later' }])).toEqual({
      attemptId: 'refund',
      gateway: 'gateway_1',
      operation: 'refund',
      since: at(999),
      question: 'What is the outcome of the refund of R$ 5,00 at gateway_1? Its reference is ref-1.',
    });
  });

  it.each([
    [4_000, 'It expired with R$ 40,00 of R$ 100,00 paid. Does it count as paid?'],
    [null, 'Was it paid in time? Inquiries to gateway_1 are inconclusive.'],
  ])(
    'the question about an expired pix with %s paid is whether it counts as paid',
    (paidAmountCents, question) => {
      const expired = { ...unknown, status: 'pending' } as const;
      expect(manualResolutionFor({ ...stuck, paidAmountCents }, [expired])).toMatchObject({ question });
    },
  );

  it('there is a question about an attempt that was sent, and none about an inquiry or an approved charge', () => {
    const sent = { ...unknown, status: 'sent' } as const;
    expect(manualResolutionFor(stuck, [sent])?.attemptId).toBe(unknown.id);
    expect(manualResolutionFor(stuck, [{ ...sent, operation: 'inquiry' }])).toBeNull();
    expect(manualResolutionFor(stuck, [{ ...unknown, status: 'approved' }])).toBeNull();
  });

  it('a contradiction is about the charge that it was found for, and no question without one', () => {
    const charge = { ...unknown, status: 'approved', escalatedAt: null } as const;
    const found = { ...charge, id: 'found', purpose: 'found_at_gateway', escalatedAt: at(999) } as const;
    const report = {
      ...found,
      operation: 'inquiry',
      targetAttemptId: 'second',
      responseMessage: null,
    } as const;
    const second = { ...charge, id: 'second', operation: 'authorize' } as const;
    expect(manualResolutionFor(stuck, [charge, second, report])).toMatchObject({ operation: 'authorize' });
    expect(manualResolutionFor(stuck, [charge, report])).toBeNull();
    const other = { ...second, operation: 'inquiry' } as const;
    expect(manualResolutionFor(stuck, [charge, other, report])).toBeNull();
  });

  it('the question is first about what was found at the gateway, until a person has looked', () => {
    const charge = { ...unknown, status: 'approved', escalatedAt: null } as const;
    const found = { ...charge, id: 'found', purpose: 'found_at_gateway', targetAttemptId: 'charge' } as const;
    const refund = { ...found, operation: 'refund', amountCents: 400, escalatedAt: at(999) } as const;
    expect(manualResolutionFor(stuck, [charge, { ...unknown, id: 'lost' }, refund])).toMatchObject({
      ...{ attemptId: 'found', operation: 'refund' },
      question:
        'A refund of R$ 4,00 was made at gateway_1 and not requested here. It is recorded. Is it right?',
    });
    const report = { ...refund, operation: 'inquiry', responseMessage: 'Gateway: x. Records: y.' } as const;
    expect(manualResolutionFor(stuck, [charge, report])).toMatchObject({
      ...{ attemptId: 'found', operation: 'charge' },
      question: 'gateway_1 contradicts the records. Gateway: x. Records: y. Which of them is right?',
    });
    expect(manualResolutionFor(stuck, [charge, { ...refund, escalatedAt: null }])?.attemptId).not.toBe(
      'found',
    );
  });

  it.each([
    ['failed', 'R$ 30,00 of R$ 100,00 was paid after it expired. Does it count as paid? If not, refund it.'],
    [
      'canceled',
      'R$ 30,00 of R$ 100,00 was paid after it was canceled. Does it count as paid? If not, refund it.',
    ],
  ] as const)(
    'the question about a part paid after a payment was %s is about what is still held',
    (status, question) => {
      const late = { ...stuck, status, paidAmountCents: 4_000, refundedAmountCents: 1_000 };
      expect(manualResolutionFor(late, [{ ...unknown, status: 'pending' }])).toMatchObject({ question });
    },
  );
});
