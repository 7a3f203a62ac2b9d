import { activeCharge } from './charge-operations';
import type { GatewaySlug } from '../shared/gateway-slug';
import { formatMoney } from '../shared/money';
import { OPERATION_NAMES } from './operation-names';
import type { AttemptOperation, AttemptPurpose, AttemptStatus } from './payment';

/** What only a person can say of a payment. */
export interface ManualResolutionRequest {
  /** The operation in question. */
  readonly attemptId: string;
  readonly gateway: GatewaySlug;
  readonly operation: Exclude<AttemptOperation, 'inquiry'>;
  readonly since: Date;
  /** In words. */
  readonly question: string;
}

interface DeskPayment {
  /** Since when a person is asked; null when nobody is. */
  readonly stuckAt: Date | null;
  readonly amountCents: number;
  readonly paidAmountCents: number | null;
  readonly currency: string;
}

interface DeskAttempt {
  readonly id: string;
  readonly operation: AttemptOperation;
  readonly purpose: AttemptPurpose;
  readonly gatewaySlug: GatewaySlug;
  readonly reference: string;
  readonly status: AttemptStatus;
  readonly amountCents: number;
}

/**
 * The question on the desk: of several operations without a certain result the first; else whether a pix or billet
 * whose time is over counts as paid. Null when no person is asked. `attempts` in the order they were made.
 */
export function manualResolutionFor(
  payment: DeskPayment,
  attempts: readonly DeskAttempt[],
): ManualResolutionRequest | null {
  const { stuckAt } = payment;
  if (stuckAt === null) return null;
  const lost = attempts.find(({ status }) => status === 'sent' || status === 'unknown');
  const subject = lost ?? activeCharge(attempts);
  if (subject === null || subject.operation === 'inquiry') return null;
  const { id: attemptId, gatewaySlug: gateway, operation } = subject;
  const question = lost === undefined ? askWhetherPaid(payment, gateway) : askWhatBecame(payment, lost);
  return { attemptId, gateway, operation, since: stuckAt, question };
}

function askWhatBecame({ currency }: DeskPayment, attempt: DeskAttempt): string {
  const { operation, amountCents, gatewaySlug, reference } = attempt;
  const what = `the ${OPERATION_NAMES[operation]} of ${formatMoney(amountCents, currency)}`;
  return `What became of ${what} at ${gatewaySlug}? Its reference there is ${reference}.`;
}

function askWhetherPaid(
  { amountCents, paidAmountCents, currency }: DeskPayment,
  gateway: GatewaySlug,
): string {
  const paidCents = paidAmountCents ?? 0;
  if (paidCents === 0) return `Was it paid in time? ${gateway} does not tell.`;
  const [paid, asked] = [formatMoney(paidCents, currency), formatMoney(amountCents, currency)];
  return `Its time is over and ${paid} of ${asked} was paid: does it count as paid?`;
}
