import { providesStatements } from '../../../gateways/simulator/profiles';
import { gatewayErrorResponse, scriptedErrorResponse, type SimulatorResponse } from '../../replies';
import type { SimulatorCore, VendorCall, VendorHttpRequest } from '../adapter';

const MAX_LINES = 1_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** `GET /statements/{day}?after=&limit=`. Null for another route. */
export function statementCall(
  core: SimulatorCore,
  { gateway, method, path, query }: VendorHttpRequest,
): VendorCall | null {
  const [resource, day, ...rest] = path;
  if (method !== 'GET' || resource !== 'statements' || day === undefined || rest.length > 0) return null;
  return {
    operation: 'statement',
    amount: null,
    reference: null,
    idempotencyKey: null,
    prepare: (account) => ({
      run: () => ({ response: page(core, { gateway, account, day }, query) }),
      fail: scriptedErrorResponse,
      finish: () => undefined,
    }),
  };
}

function page(
  core: SimulatorCore,
  statement: {
    readonly gateway: VendorHttpRequest['gateway'];
    readonly account: string;
    readonly day: string;
  },
  query: URLSearchParams,
): SimulatorResponse {
  if (!providesStatements(statement.gateway))
    return gatewayErrorResponse('not_supported', 'this gateway has statements on its own pages only');
  const start = Number(query.get('after') ?? 0);
  const limit = Number(query.get('limit') ?? MAX_LINES);
  if (!DAY.test(statement.day) || !Number.isSafeInteger(start) || start < 0)
    return gatewayErrorResponse(
      'invalid_request',
      'day: must be YYYY-MM-DD; after: must be `next` of a page',
    );
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MAX_LINES)
    return gatewayErrorResponse('invalid_request', `limit: must be 1 to ${MAX_LINES}`);
  const lines = core.statements.linesOf(statement);
  const end = start + limit;
  const next = end < lines.length ? String(end) : null;
  return { status: 200, body: { day: statement.day, data: lines.slice(start, end), next } };
}
