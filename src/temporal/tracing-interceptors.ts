import type { ClientInterceptors, WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { TRACE_HEADER } from '../../workflows/messages';
import { runWithin, type Spans } from '../tracing/spans';

/**
 * Shows each start, signal and update of a workflow as a span, and sends the span along as a header. Temporal does not encrypt
 * headers: this one has random ids only.
 *
 * Temporal's own package of interceptors is not used (docs/operations/traces.md).
 */
export function tracingInterceptors(spans: Spans): ClientInterceptors {
  if (!spans.isOn) return {};
  const call = <Result>(
    name: string,
    workflowId: string,
    send: (headers: Headers) => Promise<Result>,
  ): Promise<Result> => {
    const span = spans.start({ name, kind: 'producer', attributes: { workflow_id: workflowId } });
    return runWithin(span, () => send(traceHeaders(spans)));
  };
  const workflow: WorkflowClientInterceptor = {
    startWithDetails: (input, next) =>
      call(`start ${input.workflowType}`, input.options.workflowId, (headers) =>
        next(withHeaders(input, headers)),
      ),
    signal: (input, next) =>
      call(`signal ${input.signalName}`, input.workflowExecution.workflowId, (headers) =>
        next(withHeaders(input, headers)),
      ),
    signalWithStart: (input, next) =>
      call(`signal ${input.signalName}`, input.options.workflowId, (headers) =>
        next(withHeaders(input, headers)),
      ),
    startUpdate: (input, next) =>
      call(`update ${input.updateName}`, input.workflowExecution.workflowId, (headers) =>
        next(withHeaders(input, headers)),
      ),
    startUpdateWithStart: (input, next) =>
      call(`update ${input.updateName}`, input.workflowStartOptions.workflowId, (headers) =>
        next({
          ...input,
          workflowStartHeaders: { ...input.workflowStartHeaders, ...headers },
          updateHeaders: { ...input.updateHeaders, ...headers },
        }),
      ),
  };
  return { workflow: [workflow] };
}

function withHeaders<Input extends { readonly headers: Headers }>(input: Input, headers: Headers): Input {
  return { ...input, headers: { ...input.headers, ...headers } };
}

function traceHeaders(spans: Spans): Headers {
  const traceparent = spans.traceparent();
  return traceparent === null ? {} : { [TRACE_HEADER]: defaultPayloadConverter.toPayload({ traceparent }) };
}

/** The span that a header carries; undefined without one that can be read. */
export function traceparentOf(headers: Headers): string | undefined {
  const payload = headers[TRACE_HEADER];
  if (payload === undefined) return undefined;
  try {
    const { traceparent } = defaultPayloadConverter.fromPayload<{ traceparent?: unknown }>(payload);
    return typeof traceparent === 'string' ? traceparent : undefined;
  } catch {
    return undefined;
  }
}
