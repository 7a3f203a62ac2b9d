import type { z } from 'zod';
import type { SimulatorResponse } from '../../replies';

/** https://docs.pagar.me/reference/erros-1: the message of each status that the table lists. Their wording is Pagar.me's only for 404 and 422. */
const MESSAGES: Readonly<Record<number, string>> = {
  400: 'The request is malformed.',
  401: 'Authorization has been denied for this request.',
  403: 'Access from this IP or domain is not allowed.',
  404: 'Not found.',
  412: 'The request failed.',
  422: 'The request is invalid.',
  429: 'Too many requests.',
  500: 'Internal server error.',
};

/** The error that Pagar.me answers with a status. */
export function errorOfStatus(status: number): SimulatorResponse {
  const message = MESSAGES[status] ?? (status >= 500 ? 'Internal server error.' : 'The request failed.');
  return { status, body: { message } };
}

/** An unknown object. Recorded: `{"message": "Charge not found."}`. */
export function notFound(kind: 'Charge' | 'Order' | 'Customer' | 'Card' | 'Recipient'): SimulatorResponse {
  return { status: 404, body: { message: `${kind} not found.` } };
}

/** Valid parameters that the state of the object does not allow: 412. */
export function refused(message: string): SimulatorResponse {
  return { status: 412, body: { message } };
}

/** A 422 with the wrong fields. It echoes the request, as in the recorded answer `failed-with-top-level-errors`. */
export function invalidRequest(
  errors: Readonly<Record<string, readonly string[]>>,
  request: unknown,
): SimulatorResponse {
  return { status: 422, body: { message: 'The request is invalid.', errors, request: echoOf(request) } };
}

/** `root` is the name of the body in field names: `order.payments[0].amount`. */
export function invalidBody(error: z.ZodError, root: string, request: unknown): SimulatorResponse {
  const errors: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const field = nameOf(root, issue.path);
    const last = String(issue.path.findLast((segment) => typeof segment === 'string') ?? root);
    const isMissing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
    (errors[field] ??= []).push(
      // https://docs.pagar.me/reference/erros-1: `"order.customer.name": ["The name field is required."]`.
      isMissing ? `The ${last} field is required.` : `The field ${last} is invalid: ${issue.message}.`,
    );
  }
  return invalidRequest(errors, request);
}

function nameOf(root: string, path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, segment) => (typeof segment === 'number' ? `${name}[${segment}]` : `${name}.${String(segment)}`),
    root,
  );
}

/** The request without secrets of the card: the recorded echo has its last four digits, and no security code. */
function echoOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(echoOf);
  if (typeof value !== 'object' || value === null) return value;
  const echo: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'number' && 'exp_year' in value) echo.last_four_digits = String(inner).slice(-4);
    else if (name !== 'cvv') echo[name] = echoOf(inner);
  }
  return echo;
}
