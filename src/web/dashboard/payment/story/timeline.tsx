import { Text } from '@mantine/core';
import { Panel } from '../../../ui/layout/panel';
import { useDates } from '../../shared/use-dates';
import { AttemptTable } from '../../webhooks/attempt-table';
import { messages } from '../messages';
import type { UserPayment } from '../queries';
import { deliveryText, entryDetails, entryTitle, storyOf, type StoryLine } from './story';
import classes from '../timeline.module.css';
import { actorLabels, entryTone } from './timeline-labels';

/** Oldest line first. */
export function Timeline({ data }: { readonly data: UserPayment }) {
  return (
    <Panel title={messages.timeline} subtitle={data.timeline_complete ? undefined : messages.timelineCut}>
      <ol className={classes.timeline}>
        {storyOf(data).map((line, index) => (
          <Line key={`${line.at} ${index}`} line={line} data={data} />
        ))}
      </ol>
    </Panel>
  );
}

interface LineProps<Kind extends StoryLine['kind'] = StoryLine['kind']> {
  readonly line: Extract<StoryLine, { readonly kind: Kind }>;
  readonly data: UserPayment;
}

function Line({ line, data }: LineProps) {
  return line.kind === 'entry' ? <Entry line={line} data={data} /> : <Delivery line={line} />;
}

function Entry({ line: { entry }, data }: LineProps<'entry'>) {
  const dates = useDates();
  const details = entryDetails(entry, data, dates);
  return (
    <li className={classes.entry} data-tone={entryTone(entry.kind)}>
      <Text size="sm" fw={550}>
        {entryTitle(entry, data.attempts)}
      </Text>
      {details.length > 0 && (
        <Text size="sm" c="dimmed">
          {details.join(' · ')}
        </Text>
      )}
      <Text size="xs" c="dimmed">
        <time dateTime={entry.at}>{dates.second(entry.at)}</time> · {actorLabels[entry.actor]}
      </Text>
    </li>
  );
}

const DELIVERY_TONES = { delivered: 'good', failed: 'bad', pending: 'waiting' } as const;

/** One line, which opens to show each attempt. */
function Delivery({ line: { at, delivery } }: Omit<LineProps<'delivery'>, 'data'>) {
  const dates = useDates();
  const { title, detail } = deliveryText(delivery, dates);
  return (
    <li className={classes.entry} data-tone={DELIVERY_TONES[delivery.status]}>
      <details>
        <summary className={classes.summary}>
          <Text component="span" size="sm" fw={550}>
            {title}
          </Text>
          <Text component="span" size="sm" c="dimmed" display="block">
            {detail}
          </Text>
        </summary>
        <AttemptTable attempts={delivery.attempts} />
      </details>
      <Text size="xs" c="dimmed">
        <time dateTime={at}>{dates.second(at)}</time> · {actorLabels.system}
      </Text>
    </li>
  );
}
