import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { traceparentOf } from '../../../src/temporal/tracing-interceptors';
import { TRACE_HEADER } from '../../../workflows/messages';
import { interceptors } from '../../../workflows/shared/trace-header';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const headerOf = (traceparent: unknown): Headers => ({
  [TRACE_HEADER]: defaultPayloadConverter.toPayload({ traceparent }),
});

/** A workflow whose activities only tell the headers that they would get. */
function newWorkflow() {
  const { inbound: [inbound] = [], outbound: [outbound] = [] } = interceptors();
  const result = Promise.resolve('result');
  const scheduled = (method: 'scheduleActivity' | 'scheduleLocalActivity'): Headers => {
    let headers: Headers = {};
    const next = (input: { headers: Headers }): Promise<unknown> => {
      headers = input.headers;
      return result;
    };
    // Another promise than the SDK's own could change the order of commands, so that recorded histories would not replay.
    expect(outbound?.[method]?.({ headers: {} } as never, next as never)).toBe(result);
    return headers;
  };
  return {
    call(method: 'execute' | 'handleSignal' | 'handleUpdate', headers: Headers): void {
      expect(inbound?.[method]?.({ headers } as never, (() => result) as never)).toBe(result);
    },
    traces: () => [
      traceparentOf(scheduled('scheduleActivity')),
      traceparentOf(scheduled('scheduleLocalActivity')),
    ],
  };
}

it('activities belong to the trace that last started, signaled or updated their workflow', () => {
  const workflow = newWorkflow();
  for (const [method, traceparent] of [
    ['execute', 'a start'],
    ['handleSignal', 'a signal'],
    ['handleUpdate', 'an update'],
  ] as const) {
    workflow.call(method, headerOf(traceparent));
    workflow.call('handleSignal', {});
    expect(workflow.traces()).toEqual([traceparent, traceparent]);
  }
});

it('a workflow that got no trace, or one of unusual length, hands none on', () => {
  const workflow = newWorkflow();
  expect(workflow.traces()).toEqual([undefined, undefined]);
  workflow.call('execute', headerOf('x'.repeat(300)));
  expect(workflow.traces()).toEqual([undefined, undefined]);
});

it('a header that anybody else wrote is read as no trace', () => {
  expect(traceparentOf(headerOf(TRACEPARENT))).toBe(TRACEPARENT);
  expect(traceparentOf(headerOf(7))).toBeUndefined();
  expect(traceparentOf({ [TRACE_HEADER]: { metadata: {}, data: Buffer.from('{') } })).toBeUndefined();
  expect(traceparentOf({})).toBeUndefined();
});
