import { temporal } from '@temporalio/proto';
import type { WorkflowTask } from '../../../src/temporal/first-tasks/workflow-task';
import { bringsMore, readNews } from '../../../src/temporal/first-tasks/task-news';

const { EventType } = temporal.api.enums.v1;
const { Request } = temporal.api.update.v1;

const OWN = [
  { eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED },
  { eventType: EventType.EVENT_TYPE_MARKER_RECORDED },
  { eventType: EventType.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES },
  { eventType: EventType.EVENT_TYPE_TIMER_STARTED },
  { eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED },
  { eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED },
];
const signal = (eventId: number) => ({
  eventId,
  eventType: EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED,
  workflowExecutionSignaledEventAttributes: { signalName: 'wake' },
});
const SIGNAL = signal(8);
const update = (id: string) => ({
  id,
  protocolInstanceId: id,
  body: {
    type_url: 'type.googleapis.com/temporal.api.update.v1.Request',
    value: Request.encode({ meta: { updateId: id }, input: { name: 'operation' } }).finish(),
  },
});
const task = (change: Partial<WorkflowTask> & { events?: object[] } = {}): WorkflowTask => {
  const { events = [], ...others } = change;
  return { history: { events: [...OWN, ...events] }, messages: [], ...others };
};

describe('the news of a task', () => {
  it('are its signals', () => {
    expect(readNews(task({ events: [SIGNAL, signal(9)] }))).toMatchObject({
      kind: 'signals',
      signals: [
        { eventId: '8', name: 'wake' },
        { eventId: '9', name: 'wake' },
      ],
    });
  });

  it('are its one update', () => {
    expect(readNews(task({ messages: [update('a')] }))).toMatchObject({
      kind: 'update',
      request: { meta: { updateId: 'a' }, input: { name: 'operation' } },
    });
  });

  it.each<[string, WorkflowTask]>([
    ['a task that brings nothing', task()],
    ['a timer that fired', task({ events: [{ eventType: EventType.EVENT_TYPE_TIMER_FIRED }] })],
    [
      'a signal after a failed task',
      task({ events: [{ eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED }, SIGNAL] }),
    ],
    ['a signal and an update', task({ events: [SIGNAL], messages: [update('a')] })],
    ['two updates', task({ messages: [update('a'), update('b')] })],
    ['an unknown message', task({ messages: [{ id: 'a', body: { type_url: 'other' } }] })],
    ['a query with a signal', task({ events: [SIGNAL], queries: { q: {} } })],
    ['a history in parts', task({ events: [SIGNAL], nextPageToken: new Uint8Array([1]) })],
  ])('are left to a worker for %s', (_what, brought) => {
    expect(readNews(brought)).toBeNull();
  });

  it.each<[string, WorkflowTask, WorkflowTask, boolean]>([
    ['the same signal', task({ events: [SIGNAL] }), task({ events: [SIGNAL] }), false],
    ['no signal, because it was shown before', task({ events: [SIGNAL] }), task(), false],
    ['one signal more', task({ events: [SIGNAL] }), task({ events: [SIGNAL, signal(12)] }), true],
    ['another signal', task({ events: [SIGNAL] }), task({ events: [signal(12)] }), true],
    ['an update', task({ events: [SIGNAL] }), task({ messages: [update('a')] }), true],
    ['the same update', task({ messages: [update('a')] }), task({ messages: [update('a')] }), false],
    ['another update', task({ messages: [update('a')] }), task({ messages: [update('b')] }), true],
    ['a signal after an update', task({ messages: [update('a')] }), task({ events: [SIGNAL] }), true],
    [
      'a timer that fired',
      task({ events: [SIGNAL] }),
      task({ events: [{ eventType: EventType.EVENT_TYPE_TIMER_FIRED }] }),
      true,
    ],
  ])('in a prolonged task: %s', (_what, before, prolonged, isMore) => {
    const news = readNews(before);
    if (news === null) throw new Error('no news');
    expect(bringsMore(prolonged, news)).toBe(isMore);
  });
});
