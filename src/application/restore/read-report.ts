import { GATEWAY_SLUGS, type GatewaySlug } from '../../domain/shared/gateway-slug';
import type { ReportedCharge } from '../../persistence/restore/restored-charge-repository';

const STATUSES = ['pending', 'authorized', 'approved', 'refunded', 'canceled', 'declined'] as const;
const MAX_TEXT = 255;

/**
 * Reads one line of a report: a JSON object with `gateway`, `gateway_transaction_id`, `reference`, `status`, `amount`, `captured`,
 * `refunded` and `changed_at`.
 *
 * @throws Error that names the wrong field
 */
export function readReportLine(line: string): ReportedCharge {
  const fields = parseObject(line);
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT)
      throw new Error(`${name} must be a text of 1 to ${MAX_TEXT} characters`);
    return value;
  };
  const oneOf = <Value extends string>(name: string, values: readonly Value[]): Value => {
    const value = values.find((known) => known === fields[name]);
    if (value === undefined) throw new Error(`${name} must be one of ${values.join(', ')}`);
    return value;
  };
  const cents = (name: string): number => {
    const value = fields[name];
    if (!Number.isSafeInteger(value) || Number(value) < 0)
      throw new Error(`${name} must be an integer of cents, not negative`);
    return Number(value);
  };
  const changedAt = new Date(text('changed_at'));
  if (Number.isNaN(+changedAt)) throw new Error('changed_at must be a time in ISO 8601');
  return {
    gateway: oneOf<GatewaySlug>('gateway', GATEWAY_SLUGS),
    gatewayTransactionId: text('gateway_transaction_id'),
    reference: text('reference'),
    status: oneOf('status', STATUSES),
    amountCents: cents('amount'),
    capturedCents: cents('captured'),
    refundedCents: cents('refunded'),
    changedAt,
  };
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error('the line is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('the line is not a JSON object');
  return value as Readonly<Record<string, unknown>>;
}
