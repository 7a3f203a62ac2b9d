import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import { assertNever } from '../../../domain/shared/assert-never';
import { SIGNATURE_HEADER, signCallback } from '../../../gateways/simulator/callback-signature';
import { replaysKeys, supportsLookup } from '../../../gateways/simulator/profiles';
import { chargeBody, type ChargeReply, followUpBody, recipientBody } from '../../../gateways/simulator/wire';
import type { StoredCharge, StoredDispute } from '../../charge-store';
import { callbackBodyOf } from './callback-body';
import { disputeCall } from './dispute-calls';
import type { OperationResult, SimulatorRequestContext } from '../../charges';
import { parseJson } from '../../exchange';
import { recipientStatusFor } from '../../recipients';
import {
  chargeReplyOf,
  gatewayErrorResponse,
  operationReplyOf,
  newRecipientReplyOf,
  recipientReplyOf,
  scriptedErrorResponse,
  type SimulatorResponse,
} from '../../replies';
import type { Behavior } from '../../scripts';
import type {
  CallbackKind,
  CallbackMessage,
  CoreError,
  PreparedWork,
  SimulatorCore,
  VendorCall,
  VendorHttpRequest,
  WireAdapter,
  WorkResult,
} from '../adapter';
import { statementCall } from './statement-calls';
import { listChanges } from './list-changes';
import { verifyCard } from './verify-card';
import { routeCall, type SimulatorCall, type SimulatorRequest, summarizeRequest } from './routes';

type ReadCall = Extract<SimulatorCall, { kind: 'show' | 'find' | 'find_recipients' | 'list_changes' }>;
type WriteCall = Exclude<SimulatorCall, ReadCall | { kind: 'verify' }>;

/** A valid write request. `run` commits it. */
interface ParsedWrite {
  readonly reference: string;
  readonly run: () => WorkResult;
}

/** A response that needs no work. */
interface ImmediateResponse {
  readonly response: SimulatorResponse;
}

const CORE_ERRORS: Readonly<Record<CoreError, string>> = {
  unauthenticated: 'the secret key is invalid',
  unavailable: 'the gateway is out of service',
  not_found: 'no such route',
};

/** The simulator's own protocol (`src/gateways/simulator/wire.ts`), with the idempotency support of each slug. */
export class SimulatorAdapter implements WireAdapter {
  constructor(private readonly core: SimulatorCore) {}

  secretOf({ authorization = '' }: IncomingHttpHeaders): string | null {
    return /^Bearer (.+)$/.exec(authorization)?.[1] ?? null;
  }

  errorOf(error: CoreError): SimulatorResponse {
    return gatewayErrorResponse(error, CORE_ERRORS[error]);
  }

  callbacksOf(charge: StoredCharge, kind: CallbackKind, dispute?: StoredDispute): readonly CallbackMessage[] {
    const body = callbackBodyOf(charge, kind, dispute);
    return [{ body, sign: (secret, now) => ({ [SIGNATURE_HEADER]: signCallback(body, secret, now) }) }];
  }

  receive(request: VendorHttpRequest): VendorCall | null {
    const { gateway, method, path, query, headers, body: text } = request;
    const key = headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' && key !== '' ? key : null;
    if (method === 'GET' && path.join('/') === 'account') return accountCall(idempotencyKey);
    const call = routeCall(method, path, query);
    if (call === null)
      return statementCall(this.core, request) ?? disputeCall(this.core, request, idempotencyKey);
    const body = text === '' ? undefined : parseJson(text);
    const summary = summarizeRequest(
      { call, body },
      (chargeId) => this.core.store.find(gateway, chargeId)?.reference ?? null,
    );
    return {
      ...summary,
      idempotencyKey,
      prepare: (account, behavior) =>
        this.prepare({ gateway, call, account, idempotencyKey, body }, behavior),
    };
  }

  private prepare(request: SimulatorRequest, behavior: Behavior): PreparedWork {
    const { call, gateway } = request;
    if (
      call.kind === 'show' ||
      call.kind === 'find' ||
      call.kind === 'find_recipients' ||
      call.kind === 'list_changes'
    ) {
      return untracked(() => ({ response: this.read(request, call) }));
    }
    if (call.kind === 'verify')
      return untracked(() => ({ response: verifyCard(request, behavior, new Date()) }));
    const key = replaysKeys(gateway) && behavior.ignore_idempotency !== true ? request.idempotencyKey : null;
    const parsed = this.parse(request, call, key, behavior);
    if ('response' in parsed) return untracked(() => parsed);
    const { reference, run } = parsed;
    const replayed = key === null ? null : this.replay(request, call, key, reference);
    if (replayed !== null) return untracked(() => ({ response: replayed }));
    if (key !== null && this.core.inFlight.hasKey(gateway, key)) {
      const response = gatewayErrorResponse('in_progress', 'a request with this key is in progress');
      return untracked(() => ({ response }));
    }
    const chargeId = call.kind === 'follow_up' ? call.chargeId : null;
    return {
      run,
      fail: scriptedErrorResponse,
      finish: this.core.inFlight.begin({ gateway, reference, chargeId, idempotencyKey: key }),
    };
  }

  private parse(
    { gateway, account, body }: SimulatorRequest,
    call: WriteCall,
    idempotencyKey: string | null,
    behavior: Behavior,
  ): ImmediateResponse | ParsedWrite {
    const context = { gateway, account, idempotencyKey, behavior, requiresNetworkIds: true };
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
    const previous = behavior.duplicate_id === true ? this.core.store.newestChargeAt(gateway) : null;
    return this.toWorkResult(this.core.charges.create(context, call.operation, body), previous);
  }

  private followUp(
    context: SimulatorRequestContext,
    call: Extract<WriteCall, { kind: 'follow_up' }>,
    body: z.output<typeof followUpBody>,
  ): WorkResult {
    const charge = this.findCharge(context, call.chargeId);
    if (charge === null) return { response: gatewayErrorResponse('not_found', 'no such charge') };
    const result = this.core.charges[call.operation](context, charge, body);
    // A pending one is announced when it has its result.
    const announced = 'rejected' in result || result.operation.pending === undefined;
    return { ...this.toWorkResult(result), announced };
  }

  private createRecipient(
    { gateway, idempotencyKey, behavior }: SimulatorRequestContext,
    { reference, document }: z.output<typeof recipientBody>,
  ): WorkResult {
    const needsConsent = behavior.needs_consent === true;
    const status = needsConsent ? 'pending' : (behavior.recipient ?? recipientStatusFor(document));
    const fields = { gateway, reference, idempotencyKey, status, needsConsent };
    const recipient = this.core.recipients.create(fields, new Date());
    return { response: { status: 200, body: newRecipientReplyOf(recipient, this.core.origin) } };
  }

  /** Returns the first response to a key, or 422 if the key was used for a different request; null for a new key. */
  private replay(
    { gateway, body }: SimulatorRequest,
    call: WriteCall,
    key: string,
    reference: string,
  ): SimulatorResponse | null {
    const now = new Date();
    const reused = gatewayErrorResponse('key_reused', 'this key was used for another request');
    const committed = this.core.store.withKey(gateway, key, now);
    if (committed !== null) {
      const { operation } = committed;
      const same = operation.operation === call.operation && operation.reference === reference;
      const sameAmount = call.operation === 'cancel' || hasAmount(body, operation.amount);
      return same && sameAmount
        ? { status: 200, body: operationReplyOf(committed, this.core.origin) }
        : reused;
    }
    const recipient = this.core.recipients.withKey(gateway, key, now);
    if (recipient === null) return null;
    const same = call.kind === 'create_recipient' && recipient.reference === reference;
    return same ? { status: 200, body: newRecipientReplyOf(recipient, this.core.origin) } : reused;
  }

  private read(request: SimulatorRequest, call: ReadCall): SimulatorResponse {
    const { gateway, account } = request;
    if (call.kind === 'show') {
      const charge = this.findCharge(request, call.chargeId);
      if (charge === null) return gatewayErrorResponse('not_found', 'no such charge');
      return { status: 200, body: this.show(charge) };
    }
    if (call.kind === 'list_changes') return listChanges(this.core, request, call);
    const in_progress = this.core.inFlight.hasReference(gateway, call.reference);
    if (call.kind === 'find_recipients') {
      const found = this.core.recipients.withReference(gateway, call.reference);
      const data = found.map((recipient) => recipientReplyOf(recipient, this.core.origin));
      return { status: 200, body: { reference: call.reference, data, in_progress } };
    }
    if (!supportsLookup(gateway))
      return gatewayErrorResponse('not_supported', 'this gateway finds charges by its own id only');
    const data = this.core.store
      .withReference(gateway, call.reference)
      .filter((charge) => this.core.accounts.canRead(account, charge.account))
      .map((charge) => this.show(charge));
    return { status: 200, body: { reference: call.reference, data, in_progress } };
  }

  /** Null if the secret key does not show the charge. */
  private findCharge(
    { gateway, account }: Pick<SimulatorRequest, 'gateway' | 'account'>,
    chargeId: string,
  ): StoredCharge | null {
    const charge = this.core.store.find(gateway, chargeId);
    return charge !== null && this.core.accounts.canRead(account, charge.account) ? charge : null;
  }

  private show(charge: StoredCharge): ChargeReply {
    return chargeReplyOf(charge, this.core.inFlight.hasCharge(charge.id), this.core.origin);
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
    return {
      response: { status: 200, body: operationReplyOf(shown, this.core.origin) },
      charge: result.charge,
    };
  }
}

/** Work that commits nothing. */
function untracked(run: () => WorkResult): PreparedWork {
  return { run, fail: scriptedErrorResponse, finish: () => undefined };
}

/** Shows whether a secret key is valid. */
function accountCall(idempotencyKey: string | null): VendorCall {
  return {
    operation: null,
    amount: null,
    reference: null,
    idempotencyKey,
    prepare: (account) => untracked(() => ({ response: { status: 200, body: { id: account } } })),
  };
}

function hasAmount(body: unknown, amount: number): boolean {
  return typeof body === 'object' && body !== null && 'amount' in body && body.amount === amount;
}

function invalidBody(error: z.ZodError): ImmediateResponse {
  const fields = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return { response: gatewayErrorResponse('invalid_request', fields.join('; ')) };
}
