import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { WireSplit } from '../../../gateways/simulator/wire';
import type { StoredCharge } from '../../charge-store';
import type { RecipientStore } from '../../recipients';
import type { SimulatorResponse } from '../../replies';
import type { AdyenSplitBody } from './bodies';
import { serviceError } from './errors';
import { recipientIdOf } from './ids';
import { modificationDataOf, paymentDataOf } from './record';

/** The parts that have an amount. Fees and what a conversion leaves are not simulated: the fake books all fees to the platform. */
const TYPES: ReadonlySet<string> = new Set(['BalanceAccount', 'Commission']);

interface SplitAmount {
  readonly currency: string;
  readonly value: number;
}

/**
 * What is wrong with split instructions: descriptions of `Split` in Adyen/adyen-openapi, CheckoutService-v72. "The API request
 * validates only the format of the split data, not the balance accounts"
 * (https://docs.adyen.com/platforms/online-payments/split-refunds). That the parts sum to the amount is not documented by Adyen, nor
 * which code tells it; integrations check it themselves.
 */
export function splitsProblem(
  splits: readonly AdyenSplitBody[],
  { currency, value }: SplitAmount,
): SimulatorResponse | null {
  const other = splits.find(({ type }) => !TYPES.has(type));
  if (other !== undefined)
    return serviceError(
      422,
      '187',
      `This fake does not support splits of type ${other.type}.`,
      'configuration',
    );
  for (const { type, account, amount, reference } of splits) {
    if (amount === undefined) return missing('amount');
    if (amount.currency !== undefined && amount.currency !== currency) return invalid('amount.currency');
    if (amount.value <= 0) return invalid('amount.value');
    if (type !== 'BalanceAccount') continue;
    if (account === undefined) return missing('account');
    if (reference === undefined) return missing('reference');
    if (!/^BA[0-9A-Z]+$/.test(account)) return invalid('account');
  }
  const sum = splits.reduce((total, { amount }) => total + (amount?.value ?? 0), 0);
  return splits.length === 0 || sum === value
    ? null
    : serviceError(422, '187', 'The sum of the split amounts is not the amount.');
}

/**
 * "Only use balance accounts that were part of the original split. Use the same reference values from the original split"
 * (https://docs.adyen.com/platforms/online-payments/split-refunds). What Adyen answers otherwise is not documented.
 */
export function refundSplitsProblem(
  splits: readonly AdyenSplitBody[],
  payment: StoredCharge,
): SimulatorResponse | null {
  const original = new Set(instructionsOf(payment).map(keyOf));
  return splits.every((split) => original.has(keyOf(split)))
    ? null
    : serviceError(422, '187', 'The splits are not parts of the original split.');
}

const keyOf = ({ type, account = '', reference = '' }: AdyenSplitBody): string =>
  `${type} ${account} ${reference}`;

/** Those of the capture, or else of the payment: "Providing split data at capture overrules data from the original payment request." */
function instructionsOf(payment: StoredCharge): readonly AdyenSplitBody[] {
  const atCapture = payment.operations
    .filter(({ operation, status }) => operation === 'capture' && status !== 'declined')
    .map((operation) => modificationDataOf(operation).splits)
    .findLast((splits) => splits.length > 0);
  return atCapture ?? paymentDataOf(payment).splits;
}

/**
 * The parts of recipients in the core's words. A part of an account that does not exist or cannot receive funds is booked to the platform,
 * and so is a commission: https://docs.adyen.com/platforms/manage-liable-accounts
 */
export function bookedSplits(
  splits: readonly AdyenSplitBody[],
  gateway: GatewaySlug,
  recipients: RecipientStore,
): WireSplit[] {
  return splits.flatMap(({ type, account = '', amount }) => {
    const id = type === 'BalanceAccount' ? recipientIdOf(account) : null;
    const recipient = id === null ? null : recipients.find(gateway, id);
    return recipient?.status === 'active' ? [wireSplit(recipient.id, amount?.value ?? 0)] : [];
  });
}

/** Of a capture. "If you don't provide split data, then all funds are booked to your liable balance account" if it is partial. */
export function capturedSplits(given: readonly WireSplit[] | null, payment: StoredCharge, value: number) {
  return given ?? (value < payment.amount ? [] : payment.splits);
}

/**
 * Of a refund: without instructions in the ratio of the payment
 * (https://docs.adyen.com/platforms/in-person-payments/split-transactions/split-refunds/refund-original-split). The rounding is not
 * documented: the platform bears the rest.
 */
export function refundedSplits(
  given: readonly WireSplit[] | null,
  { splits, captured }: StoredCharge,
  value: number,
): WireSplit[] {
  if (captured === 0) return [];
  if (given === null)
    return splits.map(({ recipient_id: id, amount }) =>
      wireSplit(id, Math.floor((amount * value) / captured)),
    );
  const credited = new Set(splits.map(({ recipient_id: id }) => id));
  return given.filter(({ recipient_id: id }) => credited.has(id));
}

function wireSplit(recipient_id: string, amount: number): WireSplit {
  return { recipient_id, amount, liable: false, charge_processing_fee: false };
}

const missing = (field: string): SimulatorResponse =>
  serviceError(422, '132', `Required field 'splits.${field}' is not provided.`);
const invalid = (field: string): SimulatorResponse =>
  serviceError(422, '187', `Field 'splits.${field}' is not valid.`);
