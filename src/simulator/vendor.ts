import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { assertNever } from '../domain/shared/assert-never';
import type { Accounts } from './accounts';
import type { Callbacks } from './callbacks';
import type { ChargeStore, StoredCharge } from './charge-store';
import type { ChargeOperations, SimulatorRequestContext, OperationResult } from './charges';
import type { Exchange } from './exchange';
import type { InFlightRequests } from './in-flight';
import { replaysKeys, supportsLookup } from '../gateways/simulator/profiles';
import { recipientStatusFor, type RecipientStore } from './recipients';
import {
  chargeReplyOf,
  gatewayErrorResponse,
  operationReplyOf,
  recipientReplyOf,
  scriptedErrorResponse,
  type SimulatorResponse,
} from './replies';
import type { Behavior } from './scripts';
import type { VendorCall, VendorRequest } from './vendor-routes';
import { chargeBody, followUpBody, recipientBody, type ChargeReply } from '../gateways/simulator/wire';

type ReadCall = Extract<VendorCall, { kind: 'show' | 'find' | 'find_recipients' }>;
type WriteCall = Exclude<VendorCall, ReadCall>;

/** The result of a request; `charge` is set if the request changed it. */
interface WorkResult {
  readonly response: SimulatorResponse;
  readonly charge?: StoredCharge;
}

/** A valid write request. `run` commits it. */
interface ParsedWrite {
  readonly reference: string;
  readonly run: () => WorkResult;
}

/** A response that needs no work. */
interface ImmediateResponse {
  readonly response: SimulatorResponse;
}

/** Work that counts as in progress until `finish` is called. */
interface PreparedWork {
  readonly run: () => WorkResult;
  readonly finish: () => void;
}

/** How long a response waits for a callback that is scripted to be sent first, in ms. */
const CALLBACK_FIRST_TIMEOUT_MS = 2_000;

/** The gateway API under `/{gateway_slug}`, with the behaviour of each slug and of active scripts. */
export class VendorApi {
  constructor(
    private readonly store: ChargeStore,
    private readonly charges: ChargeOperations,
    private readonly recipients: RecipientStore,
    private readonly inFlight: InFlightRequests,
    private readonly callbacks: Callbacks,
    private readonly accounts: Accounts,
    /** The simulator's base URL. */
    private readonly origin: string,
  ) {}

  async handle(request: VendorRequest, behavior: Behavior, exchange: Exchange): Promise<void> {
    const prepared = this.prepare(request, behavior);
    let result: WorkResult | null = null;
    try {
      if (behavior.delay_ms !== undefined) await delay(behavior.delay_ms);
      if (behavior.status !== undefined) result = { response: scriptedErrorResponse(behavior.status) };
      else if (behavior.drop !== 'before' && behavior.hang !== 'before') result = prepared.run();
    } finally {
      // Finished before the response is sent or lost: a request that hangs without a commit is no longer in progress.
      prepared.finish();
    }
    if (behavior.drop === 'before') return exchange.drop();
    if (behavior.hang === 'before' || result === null) return exchange.hang();
    const callbackFirst = behavior.callback_first === true;
    const callbackCharge = result.charge?.callbacks === true ? result.charge : null;
    if (callbackFirst && callbackCharge !== null) {
      const timeout = delay(CALLBACK_FIRST_TIMEOUT_MS, undefined, { ref: false });
      await Promise.race([this.callbacks.send(callbackCharge), timeout]);
    }
    const sent = exchange.sendAfter(result.response, behavior);
    if (!callbackFirst && callbackCharge !== null && request.call.kind === 'follow_up') {
      void this.callbacks.send(callbackCharge);
    }
    return sent;
  }

  private prepare(request: VendorRequest, behavior: Behavior): PreparedWork {
    const { call, gateway } = request;
    if (call.kind === 'show' || call.kind === 'find' || call.kind === 'find_recipients') {
      return untracked(() => ({ response: this.read(request, call) }));
    }
    const key = replaysKeys(gateway) && behavior.ignore_idempotency !== true ? request.idempotencyKey : null;
    const parsed = this.parse(request, call, key, behavior);
    if ('response' in parsed) return untracked(() => parsed);
    const { reference, run } = parsed;
    const replayed = key === null ? null : this.replay(request, call, key, reference);
    if (replayed !== null) return untracked(() => ({ response: replayed }));
    if (key !== null && this.inFlight.hasKey(gateway, key)) {
      const response = gatewayErrorResponse('in_progress', 'a request with this key is in progress');
      return untracked(() => ({ response }));
    }
    const chargeId = call.kind === 'follow_up' ? call.chargeId : null;
    return { run, finish: this.inFlight.begin({ gateway, reference, chargeId, idempotencyKey: key }) };
  }

  private parse(
    { gateway, account, body }: VendorRequest,
    call: WriteCall,
    idempotencyKey: string | null,
    behavior: Behavior,
  ): ImmediateResponse | ParsedWrite {
    const context = { gateway, account, idempotencyKey, behavior };
    switch (call.kind) {
      case 'create': {
        const parsed = chargeBody.safeParse(body);
        if (!parsed.success) return invalidBody(parsed.error);
        return { reference: parsed.data.reference, run: () => this.createCharge(context, call, parsed.data) };
      }
      case 'follow_up': {
        const parsed = followUpBody.safeParse(body);
        if (!parsed.success) return invalidBody(parsed.error);
        return { reference: parsed.data.reference, run: () => this.followUp(context, call, parsed.data) };
      }
      case 'create_recipient': {
        const parsed = recipientBody.safeParse(body);
        if (!parsed.success) return invalidBody(parsed.error);
        return { reference: parsed.data.reference, run: () => this.createRecipient(context, parsed.data) };
      }
      default:
        return assertNever(call);
    }
  }

  private createCharge(
    context: SimulatorRequestContext,
    call: Extract<WriteCall, { kind: 'create' }>,
    body: z.output<typeof chargeBody>,
  ): WorkResult {
    const { gateway, behavior } = context;
    const previous = behavior.duplicate_id === true ? this.store.newestChargeAt(gateway) : null;
    return this.toWorkResult(this.charges.create(context, call.operation, body), previous);
  }

  private followUp(
    context: SimulatorRequestContext,
    call: Extract<WriteCall, { kind: 'follow_up' }>,
    body: z.output<typeof followUpBody>,
  ): WorkResult {
    const charge = this.findCharge(context, call.chargeId);
    if (charge === null) return { response: gatewayErrorResponse('not_found', 'no such charge') };
    return this.toWorkResult(this.charges[call.operation](context, charge, body));
  }

  private createRecipient(
    { gateway, idempotencyKey, behavior }: SimulatorRequestContext,
    { reference, document }: z.output<typeof recipientBody>,
  ): WorkResult {
    const status = behavior.recipient ?? recipientStatusFor(document);
    const recipient = this.recipients.create({ gateway, reference, idempotencyKey, status }, new Date());
    return { response: { status: 200, body: recipientReplyOf(recipient) } };
  }

  /** Returns the first response to a key, or 422 if the key was used for a different request; null for a new key. */
  private replay(
    { gateway, body }: VendorRequest,
    call: WriteCall,
    key: string,
    reference: string,
  ): SimulatorResponse | null {
    const now = new Date();
    const reused = gatewayErrorResponse('key_reused', 'this key was used for another request');
    const committed = this.store.withKey(gateway, key, now);
    if (committed !== null) {
      const { operation } = committed;
      const same = operation.operation === call.operation && operation.reference === reference;
      const sameAmount = call.operation === 'cancel' || hasAmount(body, operation.amount);
      return same && sameAmount ? { status: 200, body: operationReplyOf(committed, this.origin) } : reused;
    }
    const recipient = this.recipients.withKey(gateway, key, now);
    if (recipient === null) return null;
    const same = call.kind === 'create_recipient' && recipient.reference === reference;
    return same ? { status: 200, body: recipientReplyOf(recipient) } : reused;
  }

  private read(request: VendorRequest, call: ReadCall): SimulatorResponse {
    const { gateway, account } = request;
    if (call.kind === 'show') {
      const charge = this.findCharge(request, call.chargeId);
      if (charge === null) return gatewayErrorResponse('not_found', 'no such charge');
      return { status: 200, body: this.show(charge) };
    }
    const in_progress = this.inFlight.hasReference(gateway, call.reference);
    if (call.kind === 'find_recipients') {
      const data = this.recipients.withReference(gateway, call.reference).map(recipientReplyOf);
      return { status: 200, body: { reference: call.reference, data, in_progress } };
    }
    if (!supportsLookup(gateway))
      return gatewayErrorResponse('not_supported', 'this gateway finds charges by its own id only');
    const data = this.store
      .withReference(gateway, call.reference)
      .filter((charge) => this.accounts.canRead(account, charge.account))
      .map((charge) => this.show(charge));
    return { status: 200, body: { reference: call.reference, data, in_progress } };
  }

  /** Null if the secret key does not show the charge. */
  private findCharge(
    { gateway, account }: Pick<VendorRequest, 'gateway' | 'account'>,
    chargeId: string,
  ): StoredCharge | null {
    const charge = this.store.find(gateway, chargeId);
    return charge !== null && this.accounts.canRead(account, charge.account) ? charge : null;
  }

  private show(charge: StoredCharge): ChargeReply {
    return chargeReplyOf(charge, this.inFlight.hasCharge(charge.id), this.origin);
  }

  /** `replacement` is the charge that a `duplicate_id` script returns instead of the new one. */
  private toWorkResult(result: OperationResult, replacement: StoredCharge | null = null): WorkResult {
    if ('rejected' in result) {
      const { code, message } = result.rejected;
      return { response: gatewayErrorResponse(code, message) };
    }
    const operation = replacement?.operations[0];
    const shown =
      replacement !== null && operation !== undefined ? { charge: replacement, operation } : result;
    return { response: { status: 200, body: operationReplyOf(shown, this.origin) }, charge: result.charge };
  }
}

/** Work that commits nothing. */
function untracked(run: () => WorkResult): PreparedWork {
  return { run, finish: () => undefined };
}

function hasAmount(body: unknown, amount: number): boolean {
  return typeof body === 'object' && body !== null && 'amount' in body && body.amount === amount;
}

function invalidBody(error: z.ZodError): ImmediateResponse {
  const fields = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return { response: gatewayErrorResponse('invalid_request', fields.join('; ')) };
}
