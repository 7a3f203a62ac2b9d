import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { assertNever } from '../domain/shared/assert-never';
import type { Callbacks } from './callbacks';
import type { Charge, ChargeStore } from './charge-store';
import type { Charges, Done } from './charges';
import type { Exchange } from './exchange';
import type { InFlight } from './in-flight';
import { looksUp, replaysKeys } from '../gateways/simulator/profiles';
import { recipientStatusFor, type RecipientStore } from './recipients';
import { chargeReplyOf, errorAnswer, operationReplyOf, recipientReplyOf, type Answer } from './replies';
import type { Behavior } from './scripts';
import type { VendorCall, VendorRequest } from './vendor-routes';
import { chargeBody, followUpBody, recipientBody, type ChargeReply } from '../gateways/simulator/wire';

/** What the work came to; `charge` is the one it changed just now. */
interface Worked {
  readonly answer: Answer;
  readonly charge?: Charge;
}

/** How long an answer may wait for the callback that is to go out before it, in ms. */
const CALLBACK_FIRST_MS = 2_000;

/** The gateways' side of the protocol: what each slug promises, kept or broken as scripted. */
export class Vendor {
  constructor(
    private readonly store: ChargeStore,
    private readonly charges: Charges,
    private readonly recipients: RecipientStore,
    private readonly inFlight: InFlight,
    private readonly callbacks: Callbacks,
    /** The simulator's own address. */
    private readonly origin: string,
  ) {}

  async handle(request: VendorRequest, behavior: Behavior, exchange: Exchange): Promise<void> {
    const work = this.prepare(request, behavior);
    if (!('run' in work)) return exchange.send(work.answer);
    let worked: Worked | null = null;
    try {
      if (behavior.delay_ms !== undefined) await delay(behavior.delay_ms);
      if (behavior.status !== undefined) worked = { answer: scripted(behavior.status) };
      else if (behavior.drop !== 'before' && behavior.hang !== 'before') worked = work.run();
    } finally {
      // Settled before the answer, or the lack of one: a request that hangs for good will never commit.
      work.settle();
    }
    if (behavior.drop === 'before') return exchange.drop();
    if (behavior.hang === 'before' || worked === null) return exchange.hang();
    if (behavior.callback_first === true && worked.charge?.callbacks === true) {
      const patience = delay(CALLBACK_FIRST_MS, undefined, { ref: false });
      await Promise.race([this.callbacks.tell(worked.charge), patience]);
    }
    const answered = exchange.sendAfter(worked.answer, behavior);
    const told = behavior.callback_first === true || request.call.kind !== 'follow_up';
    if (worked.charge?.callbacks === true && !told) void this.callbacks.tell(worked.charge);
    return answered;
  }

  /** Either an answer at once, or work that is in progress until it is settled. */
  private prepare(
    request: VendorRequest,
    behavior: Behavior,
  ): { answer: Answer } | { run: () => Worked; settle: () => void } {
    const { call, gateway } = request;
    const idle = (run: () => Worked) => ({ run, settle: () => undefined });
    if (call.kind === 'show' || call.kind === 'find' || call.kind === 'find_recipients') {
      return idle(() => ({ answer: this.read(request, call) }));
    }
    const parsed = this.parse(request, call, behavior);
    if ('invalid' in parsed) return { answer: parsed.invalid };
    const { key, reference } = parsed;
    const earlier = key === null ? null : this.replay(request, call, key, reference);
    if (earlier !== null) return idle(() => ({ answer: earlier }));
    if (key !== null && this.inFlight.hasKey(gateway, key)) {
      return { answer: errorAnswer(409, 'in_progress', 'a request with this key is in progress') };
    }
    const chargeId = call.kind === 'follow_up' ? call.chargeId : null;
    return {
      run: parsed.run,
      settle: this.inFlight.begin({ gateway, reference, chargeId, idempotencyKey: key }),
    };
  }

  private parse(
    request: VendorRequest,
    call: Extract<VendorCall, { kind: 'create' | 'follow_up' | 'create_recipient' }>,
    behavior: Behavior,
  ): { invalid: Answer } | { key: string | null; reference: string; run: () => Worked } {
    const { gateway, account } = request;
    const key = replaysKeys(gateway) && behavior.ignore_idempotency !== true ? request.idempotencyKey : null;
    const requested = { gateway, account, idempotencyKey: key, behavior };
    switch (call.kind) {
      case 'create': {
        const body = chargeBody.safeParse(request.body);
        if (!body.success) return { invalid: unprocessable(body.error) };
        const run = (): Worked => {
          const previous = behavior.duplicate_id === true ? this.store.newestAt(gateway) : null;
          return this.answer(this.charges.create(requested, call.operation, body.data), previous);
        };
        return { key, reference: body.data.reference, run };
      }
      case 'follow_up': {
        const body = followUpBody.safeParse(request.body);
        if (!body.success) return { invalid: unprocessable(body.error) };
        const run = (): Worked => {
          const charge = this.store.find(gateway, call.chargeId);
          if (charge === null) return { answer: errorAnswer(404, 'not_found', 'no such charge') };
          return this.answer(this.charges[call.operation](requested, charge, body.data));
        };
        return { key, reference: body.data.reference, run };
      }
      case 'create_recipient': {
        const body = recipientBody.safeParse(request.body);
        if (!body.success) return { invalid: unprocessable(body.error) };
        const { reference, document } = body.data;
        const status = behavior.recipient ?? recipientStatusFor(document);
        const run = (): Worked => {
          const fields = { gateway, reference, idempotencyKey: key, status };
          return {
            answer: { status: 200, body: recipientReplyOf(this.recipients.create(fields, new Date())) },
          };
        };
        return { key, reference, run };
      }
      default:
        return assertNever(call);
    }
  }

  /** The first answer to a key, again; a key that was used for something else is refused. */
  private replay(
    { gateway, body }: VendorRequest,
    call: VendorCall,
    key: string,
    reference: string,
  ): Answer | null {
    const now = new Date();
    const reused = errorAnswer(422, 'key_reused', 'this key was used for another request');
    const charged = this.store.withKey(gateway, key, now);
    if (charged !== null) {
      const { operation } = charged;
      const same = operation.operation === call.operation && operation.reference === reference;
      const sameAmount = call.operation === 'cancel' || hasAmount(body, operation.amount);
      return same && sameAmount ? { status: 200, body: operationReplyOf(charged, this.origin) } : reused;
    }
    const recipient = this.recipients.withKey(gateway, key, now);
    if (recipient === null) return null;
    const same = call.kind === 'create_recipient' && recipient.reference === reference;
    return same ? { status: 200, body: recipientReplyOf(recipient) } : reused;
  }

  private read(
    { gateway }: VendorRequest,
    call: Extract<VendorCall, { kind: 'show' | 'find' | 'find_recipients' }>,
  ): Answer {
    if (call.kind === 'show') {
      const charge = this.store.find(gateway, call.chargeId);
      if (charge === null) return errorAnswer(404, 'not_found', 'no such charge');
      return { status: 200, body: this.show(charge) };
    }
    const in_progress = this.inFlight.hasReference(gateway, call.reference);
    if (call.kind === 'find_recipients') {
      const data = this.recipients.withReference(gateway, call.reference).map(recipientReplyOf);
      return { status: 200, body: { data, in_progress } };
    }
    if (!looksUp(gateway))
      return errorAnswer(501, 'not_supported', 'this gateway finds charges by its own id only');
    const data = this.store.withReference(gateway, call.reference).map((charge) => this.show(charge));
    return { status: 200, body: { data, in_progress } };
  }

  private show(charge: Charge): ChargeReply {
    return chargeReplyOf(charge, this.inFlight.hasCharge(charge.id), this.origin);
  }

  private answer(done: Done, instead: Charge | null = null): Worked {
    if ('refused' in done) {
      return { answer: errorAnswer(done.refused.status, done.refused.code, done.refused.message) };
    }
    const first = instead?.operations[0];
    const shown = instead !== null && first !== undefined ? { charge: instead, operation: first } : done;
    return { answer: { status: 200, body: operationReplyOf(shown, this.origin) }, charge: done.charge };
  }
}

function scripted(status: number): Answer {
  return errorAnswer(status, 'scripted', 'scripted trouble');
}

function hasAmount(body: unknown, amount: number): boolean {
  return typeof body === 'object' && body !== null && 'amount' in body && body.amount === amount;
}

function unprocessable(error: z.ZodError): Answer {
  const fields = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return errorAnswer(422, 'invalid_request', fields.join('; '));
}
