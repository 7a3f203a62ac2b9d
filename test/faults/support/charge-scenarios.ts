import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { FailpointName } from '../../../src/failpoints';
import { idempotencySupport } from '../../../src/gateways/simulator/profiles';
import { Merchant, resultOf, transactionIdOf, type MerchantOrder } from '../../support/merchant/merchant';
import { WORKERS } from './fault-stack';
import type { FaultProcessName } from './stack-messages';
import { expectEqual, killAt, type FailpointScenario, type ScenarioContext } from './scenario';
import { WebhookListener } from './webhook-listener';

/** Those of the steps of an attempt, which the API and the workers make alike. */
export const ATTEMPT_FAILPOINTS = [
  'gateway-answered',
  'outcome-committed',
  'attempt-claimed',
  'charge-prepared',
] as const satisfies readonly FailpointName[];
export type AttemptFailpoint = (typeof ATTEMPT_FAILPOINTS)[number];

/** One that replays idempotency keys, one that supports only lookup by reference, one that supports neither. */
export const GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3'] as const;
/** Where a charge goes that the first gateway did not get. */
export const SECOND_GATEWAY: GatewaySlug = 'gateway_4';

/** Whether nothing has been sent to the gateway at this failpoint. */
export function isBeforeSend(failpoint: AttemptFailpoint): boolean {
  return failpoint === 'attempt-claimed' || failpoint === 'charge-prepared';
}

/**
 * The process that makes the charge is killed when it is claimed and not sent, sent and not recorded, or recorded. The API
 * makes first charges unless FIRST_ATTEMPTS_IN_API is false.
 */
export function chargeScenario(
  failpoint: AttemptFailpoint,
  gateway: GatewaySlug,
  makers: readonly FaultProcessName[] = WORKERS,
): FailpointScenario {
  const { killed, affects } = describeMakers(makers);
  return {
    title: `${killed} killed at ${failpoint} of a charge at ${gateway}: ${expectedOutcome(failpoint, gateway)}`,
    affects,
    resends: makers.includes('api') || isBeforeSend(failpoint),
    prepare: async (context) => {
      const merchant = await Merchant.register(context.stack, [gateway, SECOND_GATEWAY]);
      const order = merchant.order();
      return {
        orders: [order],
        injectFault: () => killAt(context.stack, failpoint, order, makers, () => merchant.pay(order)),
        findViolations: async () => [
          ...expectEqual('operations', operationsOf(order), expectedOperations(failpoint, gateway)),
          ...expectEqual('charges sent', await chargedGateways(context, order), [
            isBeforeSend(failpoint) ? SECOND_GATEWAY : gateway,
          ]),
          ...expectEqual(
            'a manual review was needed',
            await isReviewed(context, order),
            needsManualReview(failpoint, gateway),
          ),
        ],
      };
    },
  };
}

function expectedOutcome(failpoint: AttemptFailpoint, gateway: GatewaySlug): string {
  if (failpoint === 'outcome-committed') return 'it stays recorded, without an inquiry or a review';
  const finder = needsManualReview(failpoint, gateway) ? 'a manual review' : 'an inquiry';
  return isBeforeSend(failpoint)
    ? `${finder} proves it absent, and the next gateway charges`
    : `${finder} finds it, and no charge is sent again`;
}

function expectedOperations(failpoint: AttemptFailpoint, gateway: GatewaySlug): string[] {
  return isBeforeSend(failpoint)
    ? [`charge ${gateway} abandoned`, `charge ${SECOND_GATEWAY} approved`]
    : [`charge ${gateway} approved`];
}

function needsManualReview(failpoint: AttemptFailpoint, gateway: GatewaySlug): boolean {
  return failpoint !== 'outcome-committed' && idempotencySupport(gateway) === 'none';
}

/** The receiver has the event, and the worker is killed before it records the delivery. */
export function webhookScenario(makers: readonly FaultProcessName[] = WORKERS): FailpointScenario {
  const { killed, affects } = describeMakers(makers);
  return {
    title: `${killed} killed at webhook-answered: the event is delivered again, under the same id`,
    affects,
    resends: makers.includes('api'),
    prepare: async ({ stack }) => {
      const listener = await WebhookListener.start(stack, ['gateway_1']);
      const { merchant } = listener;
      const order = merchant.order();
      return {
        orders: [order],
        injectFault: () => killAt(stack, 'webhook-answered', order, makers, () => merchant.pay(order)),
        findViolations: async () => {
          const violations = await listener.violations();
          const deliveredAgain = await listener.receives(transactionIdOf(order), 2);
          listener.close();
          return [...violations, ...(deliveredAgain ? [] : ['it was delivered once'])];
        },
      };
    },
  };
}

/** Which process is killed, as a title names it, and what the fault affects. */
export function describeMakers(
  makers: readonly FaultProcessName[],
): Pick<FailpointScenario, 'affects'> & { readonly killed: string } {
  if (!makers.includes('api')) return { killed: 'a worker', affects: 'worker' };
  return makers.length > 1
    ? { killed: 'its process', affects: 'all' }
    : { killed: 'the API', affects: 'api' };
}

/** The gateway operations that the API shows, as `charge gateway_1 approved`; without inquiries. */
export function operationsOf(order: MerchantOrder): string[] {
  return (resultOf(order)?.transactions ?? [])
    .filter(({ operation }) => operation !== 'inquiry')
    .map(({ operation, gateway, status }) => `${operation} ${gateway} ${status}`);
}

/** The gateways that received the charge. */
export async function chargedGateways(
  { stack }: Pick<ScenarioContext, 'stack'>,
  order: MerchantOrder,
): Promise<string[]> {
  const requests = await stack.simulator.requests(transactionIdOf(order));
  return requests.filter(({ operation }) => operation === 'charge').map(({ gateway }) => gateway);
}

export async function isReviewed(
  { operator }: Pick<ScenarioContext, 'operator'>,
  order: MerchantOrder,
): Promise<boolean> {
  return (await operator.reviewedPayments()).has(transactionIdOf(order));
}
