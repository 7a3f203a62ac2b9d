import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import { noSpans, type Spans } from '../../tracing/spans';
import { GatewayError } from '../errors';
import type { GatewayContext, GatewayDriver } from '../gateway';

/** The methods of a driver that ask the gateway. */
const CALLS = [
  'charge',
  'authorize',
  'capture',
  'cancel',
  'refund',
  'inquire',
  'verifyCard',
  'verifyCredentials',
  'createRecipient',
  'findRecipient',
] as const satisfies ReadonlyArray<keyof GatewayDriver>;
type CallName = (typeof CALLS)[number];

export interface ObservedCall {
  readonly gateway: GatewaySlug;
  readonly vendor: string;
  readonly operation: CallName;
  /** The kind of the answer (`approved`, `declined`, `found`), or the family of the error (`ambiguous`). */
  readonly outcome: string;
  readonly seconds: number;
}

export type ObserveCall = (call: ObservedCall) => void;

type Call = (ctx: GatewayContext, ...rest: unknown[]) => Promise<unknown>;

/** The same driver, which tells how long each of its calls took and how it ended, and shows each call in the active trace. */
export function measuredDriver(
  driver: GatewayDriver,
  observe: ObserveCall,
  spans: Spans = noSpans,
): GatewayDriver {
  return new Proxy(driver, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (!isCall(name) || typeof member !== 'function') return member;
      return (ctx: GatewayContext, ...rest: unknown[]) => {
        const call = { gateway: ctx.gateway, vendor: target.name, operation: name };
        const span = { name: `${name} ${ctx.gateway}`, kind: 'client', attributes: call } as const;
        return spans.around(span, async (open) => {
          const startedAt = performance.now();
          const ended = (outcome: string): void => {
            observe({ ...call, outcome, seconds: (performance.now() - startedAt) / 1000 });
            open.set({ outcome });
          };
          try {
            const result = await (member as Call).call(target, ctx, ...rest);
            ended(outcomeOf(result));
            return result;
          } catch (error) {
            ended(error instanceof GatewayError ? error.family : 'exception');
            throw error;
          }
        });
      };
    },
  });
}

function isCall(name: string | symbol): name is CallName {
  return (CALLS as ReadonlyArray<string | symbol>).includes(name);
}

/** Recipients and accepted credentials have no kind. */
function outcomeOf(result: unknown): string {
  if (result === null) return 'not_found';
  return typeof result === 'object' && 'kind' in result && typeof result.kind === 'string'
    ? result.kind
    : 'ok';
}
