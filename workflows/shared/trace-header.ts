import type {
  Headers,
  WorkflowInboundCallsInterceptor,
  WorkflowInterceptors,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import { TRACE_HEADER } from '../messages';

/** Longer than a header that our own processes write. */
const MAX_BYTES = 256;

/**
 * Passes the trace of the workflow's last start, signal or update to its activities. Every workflow has this, whether or
 * not a process traces: it copies a header and makes no commands, so a history replays with and without one.
 *
 * A new run does not inherit it: the runs of a subscription would be one trace for years.
 */
export function interceptors(): WorkflowInterceptors {
  let trace: Headers = {};
  // None of these is `async`: an additional promise could change the order of commands.
  const keep = (headers: Headers): void => {
    const payload = headers[TRACE_HEADER];
    if (payload?.data && payload.data.length <= MAX_BYTES) trace = { [TRACE_HEADER]: payload };
  };
  const inbound: WorkflowInboundCallsInterceptor = {
    execute(input, next) {
      keep(input.headers);
      return next(input);
    },
    handleSignal(input, next) {
      keep(input.headers);
      return next(input);
    },
    handleUpdate(input, next) {
      keep(input.headers);
      return next(input);
    },
  };
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...trace } }),
    scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...trace } }),
  };
  return { inbound: [inbound], outbound: [outbound] };
}
