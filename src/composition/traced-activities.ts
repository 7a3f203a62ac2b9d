import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { traceparentOf } from '../temporal/tracing-interceptors';
import { runWithin, type Spans } from '../tracing/spans';

/** Shows each run of an activity, regular or local, as a span of the trace that its workflow was last called from. */
export function tracedActivities(spans: Spans): ActivityInterceptorsFactory[] {
  if (!spans.isOn) return [];
  return [
    ({ info: { activityType, attempt, isLocal, workflowExecution, workflowType } }) => ({
      inbound: {
        execute: (input, next) => {
          const traceparent = traceparentOf(input.headers);
          const span = {
            name: `activity ${activityType}`,
            kind: 'consumer',
            attributes: {
              activity: activityType,
              activity_attempt: attempt,
              activity_is_local: isLocal,
              ...(workflowType !== undefined && { workflow_type: workflowType }),
              ...(workflowExecution !== undefined && { workflow_id: workflowExecution.workflowId }),
            },
          } as const;
          const parent = traceparent === undefined ? undefined : { traceparent, isOurs: true };
          return runWithin(spans.start(span, parent), () => next(input));
        },
      },
    }),
  ];
}
