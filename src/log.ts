import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * The only fields a log line can have; any other is dropped, so that a field nobody thought of cannot carry a card
 * number, a secret or personal data. Add a name here when it is certain to hold none of these.
 */
const ALLOWED_FIELDS: ReadonlySet<string> = new Set([
  'request_id',
  'method',
  'route',
  'status',
  'duration_ms',
  'aborted',
  'code',
  'part',
  'company_id',
  'transaction_id',
  'attempt_id',
  'sub_account_id',
  'gateway',
  'operation',
  'workflow_id',
  'dependency',
  'migration',
  'address',
  'port',
  'signal',
  'count',
  'err',
]);

export interface LoggerOptions {
  readonly level: string;
  /** Which part of the service writes: `api`, `worker`, ... */
  readonly part: string;
  /** Where the lines go; standard output unless given. */
  readonly destination?: DestinationStream;
}

/** JSON lines, written without blocking the caller. */
export function createLogger({ level, part, destination }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { part },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: allowed },
      serializers: { err: (described: unknown) => described },
      hooks: { logMethod: constantMessage },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
  return withFilteredChildren(logger);
}

/** Pino's formatters see a line's fields but not those bound to a child; children inherit this from their parent. */
function withFilteredChildren(logger: Logger): Logger {
  const prototype = Object.getPrototypeOf(logger) as Logger;
  return Object.assign(logger, {
    child(this: Logger, bindings: pino.Bindings) {
      return prototype.child.call(this, allowed(bindings));
    },
  });
}

/** Only the first two arguments count, and an error's message never becomes the line's own. */
function constantMessage(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
  const [first, second] = args as unknown[];
  if (typeof first === 'string') return method.call(this, first);
  const fields = first instanceof Error ? { err: first } : first;
  method.call(this, fields, typeof second === 'string' ? second : 'error');
}

function allowed(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    if (!ALLOWED_FIELDS.has(name)) continue;
    const value = fields[name];
    if (value instanceof Error) kept[name] = describeError(value);
    else if (typeof value !== 'object') kept[name] = value;
  }
  return kept;
}

interface ErrorDescription {
  readonly type: string;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly stack: readonly string[];
  readonly cause: ErrorDescription | undefined;
}

const MAX_CAUSES = 4;

function describeError(error: Error, depth = 0): ErrorDescription {
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    code: typeof code === 'string' ? code : undefined,
    // The parser quotes the text it could not read, which may be a body.
    message: error instanceof SyntaxError ? undefined : withoutData(error.message),
    stack: stackFrames(error),
    cause:
      error.cause instanceof Error && depth < MAX_CAUSES ? describeError(error.cause, depth + 1) : undefined,
  };
}

/** The frames alone: a stack begins with the message. */
function stackFrames(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at ')).slice(0, 12);
}

/** Masks what an error message may quote from a request: card numbers, documents, phones, addresses. */
function withoutData(message: string): string {
  return message
    .replaceAll(/\d(?:[ .-]?\d){7,}/g, '[digits]')
    .replaceAll(/[^\s"'<>@]+@[^\s"'<>@]+/g, '[email]')
    .slice(0, 500);
}
