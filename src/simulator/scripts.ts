import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { DECLINE_CLASSES } from '../domain/payments/decline';
import { ACCOUNT_FEATURES } from '../domain/routing/learned-limits';
import { GATEWAY_SLUGS, type GatewaySlug } from '../domain/shared/gateway-slug';
import { FOREIGN_BODIES } from './foreign-pages';

export const scriptedOperation = z.enum([
  'authorize',
  'charge',
  'capture',
  'cancel',
  'refund',
  'inquiry',
  'recipient',
  'verify',
  'dispute',
  'statement',
]);
export type ScriptedOperation = z.output<typeof scriptedOperation>;

const moment = z.enum(['before', 'after']);
export const pendingResult = z.enum(['executed', 'refused']);
export type PendingResult = z.output<typeof pendingResult>;
const MAX_DELAY_MS = 10 * 60 * 1000;

const behaviorSchema = z
  .strictObject({
    /** Delay before the commit, in ms. */
    delay_ms: z.int().min(0).max(MAX_DELAY_MS),
    /** Decline with this response code. */
    decline: z.string().min(1).max(8),
    /** Decline without a response code, with this class and a word of the gateway. */
    decline_class: z.enum(DECLINE_CLASSES),
    /** The Merchant Advice Code of the decline. */
    advice: z.string().regex(/^\d{2}$/),
    /** Reject the charge, because the account lacks this feature. */
    lacks: z.enum(ACCOUNT_FEATURES),
    /** Answer with this HTTP status and commit nothing. */
    status: z.int().min(200).max(599),
    /** Close the connection without a response, before or after the commit. */
    drop: moment,
    /** Never respond, before or after the commit. */
    hang: moment,
    /** Send half of the JSON body after the commit; with `drop: after` also break the connection there. */
    truncate: z.boolean(),
    /** Respond with this status and a page that is not the gateway's own, after the commit. */
    html: z.int().min(200).max(599),
    /** The body of that page; HTML if omitted. */
    body: z.enum(FOREIGN_BODIES),
    /** Send the callback before the response. */
    callback_first: z.boolean(),
    /** Neither look up nor store the idempotency key. */
    ignore_idempotency: z.boolean(),
    /** Respond with the gateway's previous charge. */
    duplicate_id: z.boolean(),
    recipient: z.enum(['pending', 'refused']),
    /** Leave the created recipient to its owner, who must consent. */
    needs_consent: z.boolean(),
    /** False: never send callbacks for the charge automatically. */
    callback: z.boolean(),
    /** The gateway's fee at capture, in cents. */
    fee: z.int().nonnegative(),
    /** Accept a capture, cancel or refund, and give it this result later. */
    pending_then: pendingResult,
    /** Until then, in ms; without it, until `POST /_admin/operations`. */
    pending_ms: z.int().min(0).max(MAX_DELAY_MS),
  })
  .partial()
  .refine((behavior) => Object.keys(behavior).length > 0, 'must name at least one behaviour')
  .refine(({ advice, decline }) => advice === undefined || decline !== undefined, 'advice requires decline')
  .refine(
    ({ decline, decline_class }) => decline === undefined || decline_class === undefined,
    'decline_class replaces decline',
  )
  .refine(
    ({ pending_ms, pending_then }) => pending_ms === undefined || pending_then !== undefined,
    'pending_ms requires pending_then',
  )
  .refine(({ body, html }) => body === undefined || html !== undefined, 'body requires html');
export type Behavior = z.output<typeof behaviorSchema>;

export const scriptSchema = z.strictObject({
  match: z
    .strictObject({
      gateway: z.enum(GATEWAY_SLUGS),
      amount: z.int(),
      operation: scriptedOperation,
      transaction_id: z.string().min(1),
    })
    .partial()
    .default({}),
  /** How many requests it applies to; 0 means without limit. */
  times: z.int().min(0).default(1),
  behavior: behaviorSchema,
});
export type Script = z.output<typeof scriptSchema>;

/** The fields of a request that scripts match. Inquiries have no amount, so a script with an amount never matches one. */
export interface ScriptedRequest {
  readonly gateway: GatewaySlug;
  readonly operation: ScriptedOperation;
  readonly amount: number | null;
  readonly reference: string | null;
}

const TRANSPORT_BEHAVIORS: ReadonlySet<string> = new Set([
  'delay_ms',
  'status',
  'drop',
  'hang',
  'truncate',
  'html',
  'body',
]);

const PENDING_BEHAVIORS: ReadonlySet<string> = new Set(['pending_then', 'pending_ms']);

const RECIPIENT_BEHAVIORS: ReadonlySet<string> = new Set(['recipient', 'needs_consent']);

const FOLLOW_UPS: ReadonlySet<string> = new Set(['capture', 'cancel', 'refund']);

/**
 * Whether a script has an effect on an operation. A charge is pending only if the script names this operation. For example, an inquiry
 * must not use up a decline script.
 */
function appliesTo({ match, behavior }: Script, operation: ScriptedOperation): boolean {
  return Object.keys(behavior).some((name) => {
    if (TRANSPORT_BEHAVIORS.has(name)) return true;
    if (PENDING_BEHAVIORS.has(name))
      return FOLLOW_UPS.has(operation) || (operation === 'charge' && match.operation === 'charge');
    if (operation === 'recipient') return RECIPIENT_BEHAVIORS.has(name) || name === 'ignore_idempotency';
    return operation !== 'inquiry' && !RECIPIENT_BEHAVIORS.has(name);
  });
}

function matches(script: Script, request: ScriptedRequest): boolean {
  const { match } = script;
  return (
    (match.gateway === undefined || match.gateway === request.gateway) &&
    (match.amount === undefined || match.amount === request.amount) &&
    (match.operation === undefined || match.operation === request.operation) &&
    (match.transaction_id === undefined || (request.reference ?? '').startsWith(match.transaction_id)) &&
    appliesTo(script, request.operation)
  );
}

/** The active scripts. The first one that matches a request applies. */
export class Scripts {
  private readonly scripts = new Map<string, Script & { used: number }>();

  add(script: Script): string {
    const id = randomUUID();
    this.scripts.set(id, { ...script, used: 0 });
    return id;
  }

  clear(): void {
    this.scripts.clear();
  }

  /** The behaviour of the first matching script, and counts its use; empty if none matches. */
  takeBehavior(request: ScriptedRequest): Behavior {
    for (const [id, script] of this.scripts) {
      if (!matches(script, request)) continue;
      script.used += 1;
      if (script.used === script.times) this.scripts.delete(id);
      return script.behavior;
    }
    return {};
  }
}
