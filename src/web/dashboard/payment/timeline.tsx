import { Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { Panel } from '../../ui/layout/panel';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import classes from './timeline.module.css';
import { actorLabels, entryTone, entryText } from './timeline-labels';

interface TimelineProps {
  readonly entries: ReadonlyArray<Schema<'TimelineEntry'>>;
  readonly complete: boolean;
}

/** Oldest entry first. */
export function Timeline({ entries, complete }: TimelineProps) {
  return (
    <Panel title={messages.timeline} subtitle={complete ? undefined : messages.timelineCut}>
      <ol className={classes.timeline}>
        {entries.map((entry, index) => (
          <Entry key={`${entry.at} ${index}`} entry={entry} />
        ))}
      </ol>
    </Panel>
  );
}

function Entry({ entry }: { readonly entry: Schema<'TimelineEntry'> }) {
  const dates = useDates();
  const { title, details } = entryText(entry);
  return (
    <li className={classes.entry} data-tone={entryTone(entry.kind)}>
      <Text size="sm" fw={550}>
        {title}
      </Text>
      {details.map((detail) => (
        <Text key={detail} size="sm" c="dimmed">
          {detail}
        </Text>
      ))}
      <Text size="xs" c="dimmed">
        <time dateTime={entry.at}>{dates.second(entry.at)}</time> · {actorLabels[entry.actor]}
      </Text>
    </li>
  );
}
