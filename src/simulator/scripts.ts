import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { GATEWAY_SLUGS, type GatewaySlug } from '../domain/shared/gateway-slug';

export const scriptedOperation = z.enum([
  'authorize',
  'charge',
  'capture',
  'cancel',
  'refund',
  'inquiry',
  'recipient',
]);
export type ScriptedOperation = z.output<typeof scriptedOperation>;

const moment = z.enum(['before', 'after']);
const MAX_DELAY_MS = 10 * 60 * 1000;

const behaviorSchema = z
  .strictObject({
    /** Passes before the commit. */
    delay_ms: z.int().min(0).max(MAX_DELAY_MS),
    /** The issuer's response code. */
    decline: z.string().min(1).max(8),
    /** The network's Merchant Advice Code that comes with it. */
    advice: z.string().regex(/^\d{2}$/),
    /** An HTTP status instead of the work: nothing is committed. */
    status: z.int().min(200).max(599),
    /** The connection closes without an answer, before or after the commit. */
    drop: moment,
    /** No answer at all, before or after the commit. */
    hang: moment,
    /** Half a JSON body, after the commit; with `drop: after` the connection breaks there too. */
    truncate: z.boolean(),
    /** An HTML page with this status in place of the answer, after the commit. */
    html: z.int().min(200).max(599),
    /** The callback goes out before the answer. */
    callback_first: z.boolean(),
    /** The key is neither looked up nor remembered. */
    ignore_idempotency: z.boolean(),
    /** The answer is the one of the gateway's previous charge. */
    duplicate_id: z.boolean(),
    recipient: z.enum(['pending', 'refused']),
    /** False: no callback is ever sent for the charge. */
    callback: z.boolean(),
    /** The gateway's fee at capture, in cents. */
    fee: z.int().nonnegative(),
  })
  .partial()
  .refine((behavior) => Object.keys(behavior).length > 0, 'must name at least one behaviour')
  .refine(
    ({ advice, decline }) => advice === undefined || decline !== undefined,
    'advice comes with a decline',
  );
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
  /** How often it acts; 0 is for ever. */
  times: z.int().min(0).default(1),
  behavior: behaviorSchema,
});
export type Script = z.output<typeof scriptSchema>;

/** A request as scripts see it. An inquiry has no amount, so a script that names one leaves inquiries alone. */
export interface ScriptedRequest {
  readonly gateway: GatewaySlug;
  readonly operation: ScriptedOperation;
  readonly amount: number | null;
  readonly reference: string | null;
}

const TRANSPORT: ReadonlySet<string> = new Set(['delay_ms', 'status', 'drop', 'hang', 'truncate', 'html']);

/** Whether a behaviour means anything for an operation: a decline, for one, must not be used up by an inquiry. */
function concerns(behavior: Behavior, operation: ScriptedOperation): boolean {
  return Object.keys(behavior).some((name) => {
    if (TRANSPORT.has(name)) return true;
    if (operation === 'recipient') return name === 'recipient' || name === 'ignore_idempotency';
    return operation !== 'inquiry' && name !== 'recipient';
  });
}

function matches({ match, behavior }: Script, request: ScriptedRequest): boolean {
  return (
    (match.gateway === undefined || match.gateway === request.gateway) &&
    (match.amount === undefined || match.amount === request.amount) &&
    (match.operation === undefined || match.operation === request.operation) &&
    (match.transaction_id === undefined || (request.reference ?? '').startsWith(match.transaction_id)) &&
    concerns(behavior, request.operation)
  );
}

/** Misbehaviour on demand: the first script that matches a request acts on it. */
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

  /** The behaviour of the first matching script, which is then used once. */
  take(request: ScriptedRequest): Behavior {
    for (const [id, script] of this.scripts) {
      if (!matches(script, request)) continue;
      script.used += 1;
      if (script.used === script.times) this.scripts.delete(id);
      return script.behavior;
    }
    return {};
  }
}
