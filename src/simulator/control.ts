import { z } from 'zod';
import { isPaidLater } from '../domain/payments/payment';
import type { Accounts } from './accounts';
import type { Callbacks } from './callbacks';
import type { StoredCharge, ChargeStore } from './charge-store';
import { ledgerTotals } from './ledger';
import type { DisputeControl } from './operations/disputes';
import type { MerchantRefunds } from './operations/merchant-refunds';
import { outageBody, type Outages } from './outages';
import type { SecondCharges } from './operations/second-charges';
import type { PendingOperations } from './operations/pending-operations';
import type { PendingCharges } from './operations/pending-charges';
import type { RecipientStore } from './recipients';
import { controlErrorResponse, type SimulatorResponse } from './replies';
import { reportOf } from './restore-report';
import type { RequestLog } from './requests';
import { pendingResult, scriptSchema, type Scripts } from './scripts';
import type { StatementControl } from './statements/statement-control';

const MAX_CALLBACKS = 100;
const MAX_CALLBACK_DELAY_MS = 10 * 60 * 1000;

const payBody = z.strictObject({ transaction_id: z.string().min(1), amount: z.int().positive().optional() });
const refundBody = z.strictObject({
  transaction_id: z.string().min(1),
  amount: z.int().positive().optional(),
});
const operationBody = z.strictObject({
  transaction_id: z.string().min(1),
  operation: z.enum(['capture', 'cancel', 'refund']).optional(),
  /** As the script says if omitted. */
  result: pendingResult.optional(),
});
const callbackBody = z.strictObject({
  transaction_id: z.string().min(1),
  /** The newest dispute; the charge's current state if omitted. */
  kind: z.literal('chargeback').optional(),
  times: z.int().min(1).max(MAX_CALLBACKS).default(1),
  delay_ms: z.int().min(0).max(MAX_CALLBACK_DELAY_MS).default(0),
  forge: z.boolean().default(false),
});
const recipientBody = z.strictObject({
  recipient_id: z.string().min(1),
  status: z.enum(['active', 'refused']),
});
const accountBody = z.strictObject({
  secret: z.string().min(1),
  callback_url: z.url().nullable().optional(),
  webhook_secret: z.string().min(1).nullable().optional(),
  account: z.string().min(1).optional(),
  revoked: z.boolean().optional(),
});

export interface ControlRequest {
  readonly method: string;
  /** The path after `/_admin/`. */
  readonly resource: string;
  readonly query: URLSearchParams;
  /** Undefined without a body, or if it is not JSON. */
  readonly body: unknown;
}

type ControlHandler = (request: ControlRequest) => SimulatorResponse;

/** The `/_admin/` routes: tests read the ledger and the request log, and script the gateways' behaviour. */
export class ControlRoutes {
  private readonly routes: Readonly<Record<string, Readonly<Record<string, ControlHandler>>>> = {
    ledger: { GET: (request) => this.ledger(request) },
    charges: { GET: ({ query }) => this.changedCharges(query) },
    requests: { GET: (request) => this.requestLog(request) },
    scripts: { POST: (request) => this.addScript(request), DELETE: () => this.clearScripts() },
    outages: { POST: (request) => this.startOutage(request), DELETE: () => this.endOutages() },
    pay: { POST: (request) => this.pay(request) },
    refunds: { POST: (request) => this.refund(request) },
    'second-charges': { POST: ({ body }) => this.secondCharges.charge(body) },
    operations: { POST: (request) => this.finishOperation(request) },
    disputes: {
      GET: ({ query }) => this.disputes.list(query),
      POST: ({ body }) => this.disputes.open(body),
    },
    statements: { GET: ({ query }) => this.statements.show(query) },
    'statement-errors': { POST: ({ body }) => this.statements.plantErrors(body) },
    anticipations: { POST: ({ body }) => this.statements.anticipate(body) },
    callbacks: {
      GET: (request) => this.sentCallbacks(request),
      POST: (request) => this.sendCallbacks(request),
    },
    recipients: { POST: (request) => this.decideRecipient(request) },
    accounts: { POST: (request) => this.configureAccount(request) },
  };

  constructor(
    private readonly store: ChargeStore,
    private readonly pending: PendingCharges,
    private readonly pendingOperations: PendingOperations,
    private readonly merchantRefunds: MerchantRefunds,
    private readonly secondCharges: SecondCharges,
    private readonly disputes: DisputeControl,
    private readonly statements: StatementControl,
    private readonly recipients: RecipientStore,
    private readonly scripts: Scripts,
    private readonly outages: Outages,
    private readonly requests: RequestLog,
    private readonly callbacks: Callbacks,
    private readonly accounts: Accounts,
  ) {}

  handle(request: ControlRequest): SimulatorResponse {
    const [, disputeId] = /^disputes\/([^/]+)$/.exec(request.resource) ?? [];
    const methods = disputeId === undefined ? this.routes[request.resource] : this.changeDispute(disputeId);
    if (methods === undefined) return controlErrorResponse(404, 'not_found', 'no such control route');
    const route = methods[request.method];
    if (route === undefined) {
      return controlErrorResponse(405, 'method_not_allowed', `use ${Object.keys(methods).join(' or ')}`);
    }
    if (request.method === 'POST' && request.body === undefined) {
      return controlErrorResponse(400, 'malformed_request', 'the body is not JSON');
    }
    return route(request);
  }

  private changeDispute(id: string): Readonly<Record<string, ControlHandler>> {
    return {
      GET: () => this.disputes.show(id),
      POST: ({ body }) => this.disputes.change(id, body),
    };
  }

  private ledger({ query }: ControlRequest): SimulatorResponse {
    const transactionId = query.get('transaction_id');
    const reference = query.get('reference');
    const { ledger } = this.store;
    const entries =
      transactionId !== null
        ? ledger.ofTransaction(transactionId).filter((entry) => entry.reference.startsWith(transactionId))
        : reference !== null
          ? ledger.ofReference(reference)
          : ledger.all();
    return { status: 200, body: { entries, totals: ledgerTotals(entries) } };
  }

  /** Charges in the format that `npm run restore -- import` reads. */
  private changedCharges(query: URLSearchParams): SimulatorResponse {
    const since = z.iso.datetime().safeParse(query.get('since'));
    if (!since.success) return invalid(since.error);
    const charges = this.store.changedSince(new Date(since.data)).map(reportOf);
    return { status: 200, body: { charges } };
  }

  private requestLog({ query }: ControlRequest): SimulatorResponse {
    const transactionId = query.get('transaction_id');
    const requests =
      transactionId === null
        ? this.requests.all()
        : this.requests.ofTransaction(transactionId).filter((r) => r.reference.startsWith(transactionId));
    return { status: 200, body: { requests } };
  }

  private addScript({ body }: ControlRequest): SimulatorResponse {
    const script = scriptSchema.safeParse(body);
    if (!script.success) return invalid(script.error);
    return { status: 201, body: { id: this.scripts.add(script.data) } };
  }

  private clearScripts(): SimulatorResponse {
    this.scripts.clear();
    return { status: 204, body: {} };
  }

  private startOutage({ body }: ControlRequest): SimulatorResponse {
    const parsed = outageBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { gateways, endsAt } = this.outages.start(parsed.data);
    return { status: 201, body: { gateways, how: parsed.data.how, ends_at: endsAt.toISOString() } };
  }

  private endOutages(): SimulatorResponse {
    this.outages.clear();
    return { status: 204, body: {} };
  }

  private pay({ body }: ControlRequest): SimulatorResponse {
    const parsed = payBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const charge = this.findPayable(parsed.data.transaction_id);
    if (charge === null)
      return controlErrorResponse(404, 'not_found', 'no pix or billet has this transaction_id');
    const amount = parsed.data.amount ?? charge.amount - charge.paid;
    if (amount <= 0)
      return controlErrorResponse(422, 'already_paid', 'it is paid in full: give an amount to pay more');
    const paid = this.pending.pay(charge, amount);
    if (paid.callbacks) void this.callbacks.send(paid);
    return { status: 200, body: { charge_id: paid.id, status: paid.status, paid_amount: paid.paid } };
  }

  /** The newest pending pix or billet, else the newest that was not declined (expired, canceled or paid). */
  private findPayable(transactionId: string): StoredCharge | null {
    const charges = this.store
      .ofTransaction(transactionId)
      .filter((charge) => isPaidLater(charge.method) && charge.status !== 'declined');
    return charges.findLast((charge) => charge.status === 'pending') ?? charges.at(-1) ?? null;
  }

  private refund({ body }: ControlRequest): SimulatorResponse {
    const parsed = refundBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const charges = this.store
      .ofTransaction(parsed.data.transaction_id)
      .filter(({ captured }) => captured > 0);
    const charge = charges.findLast(({ captured, refunded }) => captured > refunded) ?? charges.at(-1);
    if (charge === undefined)
      return controlErrorResponse(404, 'not_found', 'no charge with this transaction_id is captured');
    const left = charge.captured - charge.refunded;
    if (left === 0) return controlErrorResponse(422, 'already_refunded', 'the charge is refunded in full');
    const { amount = left } = parsed.data;
    if (amount > left)
      return controlErrorResponse(422, 'amount_too_large', `the amount exceeds the ${left} that are left`);
    const refunded = this.merchantRefunds.refund(charge, amount);
    if (refunded.callbacks) void this.callbacks.send(refunded);
    const { id, status, refunded: refundedAmount } = refunded;
    return { status: 200, body: { charge_id: id, status, refunded_amount: refundedAmount } };
  }

  private finishOperation({ body }: ControlRequest): SimulatorResponse {
    const parsed = operationBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { transaction_id, operation: wanted, result } = parsed.data;
    const finished = this.pendingOperations.finishNext(transaction_id, wanted, result);
    if (finished === null)
      return controlErrorResponse(404, 'not_found', 'no operation of this transaction_id is pending');
    const { charge, operation } = finished;
    if (charge.callbacks) void this.callbacks.send(charge);
    const { operation: kind, reference, status, amount } = operation;
    return { status: 200, body: { charge_id: charge.id, operation: kind, reference, status, amount } };
  }

  private sentCallbacks({ query }: ControlRequest): SimulatorResponse {
    const transactionId = query.get('transaction_id');
    if (transactionId === null)
      return controlErrorResponse(422, 'invalid_request', 'transaction_id: is required');
    return { status: 200, body: { callbacks: this.callbacks.sentFor(transactionId) } };
  }

  private sendCallbacks({ body }: ControlRequest): SimulatorResponse {
    const parsed = callbackBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { transaction_id, kind, times, delay_ms, forge } = parsed.data;
    const charges = this.store.ofTransaction(transaction_id);
    const disputed = charges.findLast(({ disputes = [] }) => disputes.length > 0);
    const charge = (kind === 'chargeback' && disputed) || charges.at(-1);
    if (charge === undefined)
      return controlErrorResponse(404, 'not_found', 'no charge has this transaction_id');
    const dispute = kind === 'chargeback' ? disputed?.disputes?.at(-1) : undefined;
    if (!this.callbacks.hasReceiver(charge)) {
      return controlErrorResponse(
        409,
        'no_callback_url',
        'neither the simulator nor the account has a callback URL',
      );
    }
    const repeated = dispute === undefined ? {} : { dispute };
    void this.callbacks.send(charge, { kind, ...repeated, times, delayMs: delay_ms, forge });
    return { status: 202, body: { queued: times } };
  }

  private decideRecipient({ body }: ControlRequest): SimulatorResponse {
    const parsed = recipientBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const { recipient_id, status } = parsed.data;
    const decided = this.recipients.decide(recipient_id, status);
    if (decided === null)
      return controlErrorResponse(404, 'not_found', 'no recipient with this id is pending');
    return { status: 200, body: { recipient_id, status: decided.status } };
  }

  private configureAccount({ body }: ControlRequest): SimulatorResponse {
    const parsed = accountBody.safeParse(body);
    if (!parsed.success) return invalid(parsed.error);
    const {
      secret,
      callback_url: callbackUrl,
      webhook_secret: webhookSecret,
      account,
      revoked,
    } = parsed.data;
    this.accounts.configure(secret, { callbackUrl, webhookSecret, account, revoked });
    return { status: 204, body: {} };
  }
}

function invalid(error: z.ZodError): SimulatorResponse {
  return controlErrorResponse(422, 'invalid_request', z.prettifyError(error));
}
