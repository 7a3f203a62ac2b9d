import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../workflows/histories');

interface HistoryEvent {
  readonly eventType: string;
  readonly userMetadata?: { readonly summary?: { readonly data?: string } };
  readonly workflowExecutionStartedEventAttributes?: { readonly continuedExecutionRunId?: string };
}

/** What support staff read in Temporal's UI without opening it. */
const SUMMARIZED = [
  'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED',
  'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED',
  'EVENT_TYPE_TIMER_STARTED',
  'EVENT_TYPE_MARKER_RECORDED',
];

const histories = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
);

function eventsOf(name: string): readonly HistoryEvent[] {
  const { events } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as {
    events: readonly HistoryEvent[];
  };
  return events;
}

/** The SDK cannot give a summary to a run that continues another one: its details tell the same. */
const isContinued = ({ workflowExecutionStartedEventAttributes: started }: HistoryEvent): boolean =>
  (started?.continuedExecutionRunId ?? '') !== '';

describe('in Temporal’s UI', () => {
  it.each(histories)('each workflow, activity and timer of %s has a summary', (name) => {
    const silent = eventsOf(name)
      .filter(({ eventType }) => SUMMARIZED.includes(eventType))
      .filter((event) => !isContinued(event))
      .filter(({ userMetadata }) => (userMetadata?.summary?.data ?? '') === '');
    expect(silent).toEqual([]);
  });
});
