import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * The only fields that log lines can have; any other field is dropped. This keeps card numbers, secrets and personal data
 * out of the logs. Add a name only if its values never contain any of these.
 */
const ALLOWED_FIELDS: ReadonlySet<string> = new Set([
  'request_id',
  'trace_id',
  'method',
  'route',
  'status',
  'duration_ms',
  'aborted',
  'code',
  'process',
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
  /** The process that logs: `api`, `worker`, ... */
  readonly process: string;
  /** The trace that a line belongs to, if one is active. */
  readonly traceId?: () => string | undefined;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/** JSON lines, written without blocking the caller. */
export function createLogger({ level, process, traceId, destination }: LoggerOptions): Logger {
  const logger = pino(
    {
      level,
      base: { process },
      ...(traceId !== undefined && { mixin: () => withTrace(traceId()) }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: allowedFields },
      serializers: { err: (description: unknown) => description },
      hooks: { logMethod: logConstantMessage },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
  return withFilteredChildren(logger);
}

function withTrace(traceId: string | undefined): object {
  return traceId === undefined ? {} : { trace_id: traceId };
}

/** Pino's formatters do not see the fields bound to a child logger, so `child` filters them. Children inherit the override. */
function withFilteredChildren(logger: Logger): Logger {
  const prototype = Object.getPrototypeOf(logger) as Logger;
  return Object.assign(logger, {
    child(this: Logger, bindings: pino.Bindings) {
      return prototype.child.call(this, allowedFields(bindings));
    },
  });
}

/** Ignores arguments after the second, and never uses an error's message as the line's message. */
function logConstantMessage(this: Logger, args: Parameters<pino.LogFn>, method: pino.LogFn): void {
  const [first, second] = args as unknown[];
  if (typeof first === 'string') return method.call(this, first);
  const fields = first instanceof Error ? { err: first } : first;
  method.call(this, fields, typeof second === 'string' ? second : 'error');
}

function allowedFields(fields: Record<string, unknown>): Record<string, unknown> {
  const allowed: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    if (!ALLOWED_FIELDS.has(name)) continue;
    const value = fields[name];
    if (value instanceof Error) allowed[name] = describeError(value);
    else if (typeof value !== 'object') allowed[name] = value;
  }
  return allowed;
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
    // A JSON parser quotes the text it could not read, which may be a request body.
    message: error instanceof SyntaxError ? undefined : maskData(error.message),
    stack: stackFrames(error),
    cause:
      error.cause instanceof Error && depth < MAX_CAUSES ? describeError(error.cause, depth + 1) : undefined,
  };
}

/** Only the frames: the stack's first line contains the message. */
function stackFrames(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at ')).slice(0, 12);
}

/** Masks request data that an error message may quote: card numbers, documents, phone numbers, email addresses. */
function maskData(message: string): string {
  return message
    .replaceAll(/\d(?:[ .-]?\d){7,}/g, '[digits]')
    .replaceAll(/[^\s"'<>@]+@[^\s"'<>@]+/g, '[email]')
    .slice(0, 500);
}
