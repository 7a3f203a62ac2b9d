import { temporal } from '@temporalio/proto';
import type { Headers } from '@temporalio/common';
import type { Message, WorkflowTask } from './workflow-task';

type UpdateRequest = temporal.api.update.v1.IRequest;
type SignalEvent = temporal.api.history.v1.IHistoryEvent;

/** What a task brings to a run that waits with a timer: one or more signals, or one update. */
export type TaskNews =
  | { readonly kind: 'signals'; readonly signals: readonly Signal[]; readonly headers: Headers }
  | {
      readonly kind: 'update';
      readonly message: Message;
      readonly request: UpdateRequest;
      readonly headers: Headers;
    };

interface Signal {
  readonly eventId: string;
  readonly name: string;
}

const { EventType } = temporal.api.enums.v1;
/** What the tasks that were made here left in the history, and the task itself. */
const KNOWN_EVENTS: ReadonlySet<unknown> = new Set([
  EventType.EVENT_TYPE_WORKFLOW_EXECUTION_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
  EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
  EventType.EVENT_TYPE_MARKER_RECORDED,
  EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
  EventType.EVENT_TYPE_TIMER_STARTED,
]);

/** Null if the task brings anything else, such as a timer that fired, a signal with an update, or a query. */
export function readNews(task: WorkflowTask): TaskNews | null {
  const brought = readTask(task);
  if (brought === null) return null;
  const { signals, messages } = brought;
  const [message, ...more] = messages;
  if (message !== undefined) return more.length === 0 && signals.length === 0 ? readUpdate(message) : null;
  const last = signals.at(-1)?.workflowExecutionSignaledEventAttributes;
  return last
    ? { kind: 'signals', signals: signals.map(toSignal), headers: last.header?.fields ?? {} }
    : null;
}

/** The SDK's flag by which it replays a signal and all else that came with it in one step (`ProcessWorkflowActivationJobsAsSingleBatch`). */
const SINGLE_BATCH = 2;

/** The flags that the SDK writes into a task that has brought the news. */
export function flagsOf({ kind }: TaskNews): number[] {
  return kind === 'signals' ? [SINGLE_BATCH] : [];
}

/** Whether a task that was prolonged brings anything that it did not bring before. */
export function bringsMore(task: WorkflowTask, news: TaskNews): boolean {
  const brought = readTask(task);
  if (brought === null) return true;
  const known = news.kind === 'update' ? [news.message.id] : news.signals.map(({ eventId }) => eventId);
  const found = [
    ...brought.messages.map(({ id }) => id),
    ...brought.signals.map((signal) => toSignal(signal).eventId),
  ];
  return found.some((id) => !known.includes(id));
}

/** Null if it has anything but signals and messages. */
function readTask({ history, messages, nextPageToken, query, queries }: WorkflowTask) {
  if (nextPageToken?.length || query || Object.keys(queries ?? {}).length > 0) return null;
  const others = (history?.events ?? []).filter(({ eventType }) => !KNOWN_EVENTS.has(eventType));
  const signals = others.filter((event) => event.workflowExecutionSignaledEventAttributes);
  return others.length > signals.length ? null : { signals, messages: messages ?? [] };
}

function toSignal({ eventId, workflowExecutionSignaledEventAttributes: signal }: SignalEvent): Signal {
  return { eventId: String(eventId), name: signal?.signalName ?? '' };
}

function readUpdate(message: Message): TaskNews | null {
  const { Request } = temporal.api.update.v1;
  const { type_url: type, value } = message.body ?? {};
  if (!type?.endsWith('/temporal.api.update.v1.Request') || !value) return null;
  const request = Request.decode(value);
  return { kind: 'update', message, request, headers: request.input?.header?.fields ?? {} };
}
