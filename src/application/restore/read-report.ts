import { GATEWAY_SLUGS, type GatewaySlug } from '../../domain/shared/gateway-slug';
import type { ReportedOperation } from '../../domain/payments/restored/reported-charge';
import type { GatewayCharge } from '../../persistence/restore/restored-charge-repository';

const STATUSES = ['pending', 'authorized', 'approved', 'refunded', 'canceled', 'declined'] as const;
const OPERATIONS = ['capture', 'cancel', 'refund'] as const;
const MAX_TEXT = 255;
const MAX_OPERATIONS = 500;

/**
 * Reads one line of a report: a JSON object with `gateway`, `gateway_transaction_id`, `reference`, `status`, `amount`, `captured`,
 * `refunded`, `changed_at` and, if the report tells them, `operations`, each with `reference`, `operation` and `amount`.
 *
 * @throws Error that names the wrong field
 */
export function readReportLine(line: string): GatewayCharge {
  const fields = parseObject(line);
  const { text, oneOf, cents } = readersOf(fields);
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
    operations: readOperations(fields['operations']),
  };
}

function readOperations(value: unknown): ReportedOperation[] | null {
  if (value === undefined || value === null) return null;
  if (!Array.isArray(value) || value.length > MAX_OPERATIONS || !value.every(isObject))
    throw new Error(`operations must be a list of at most ${MAX_OPERATIONS} objects`);
  return value.map((fields) => {
    const { text, oneOf, cents } = readersOf(fields, 'operations.');
    return {
      reference: text('reference'),
      operation: oneOf('operation', OPERATIONS),
      amountCents: cents('amount'),
    };
  });
}

/** Each reads one field. `path` stands before its name in an error. */
function readersOf(fields: Fields, path = '') {
  return {
    text: (name: string): string => {
      const value = fields[name];
      if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT)
        throw new Error(`${path}${name} must be a text of 1 to ${MAX_TEXT} characters`);
      return value;
    },
    oneOf: <Value extends string>(name: string, values: readonly Value[]): Value => {
      const value = values.find((known) => known === fields[name]);
      if (value === undefined) throw new Error(`${path}${name} must be one of ${values.join(', ')}`);
      return value;
    },
    cents: (name: string): number => {
      const value = fields[name];
      if (!Number.isSafeInteger(value) || Number(value) < 0)
        throw new Error(`${path}${name} must be an integer of cents, not negative`);
      return Number(value);
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(line: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Error('the line is not JSON');
  }
  if (!isObject(value)) throw new Error('the line is not a JSON object');
  return value;
}
