import { Button, Group, Text } from '@mantine/core';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';
import classes from './settings.module.css';
import { useMay } from '../shared/allowed';

interface SaveBarProps {
  readonly changed: boolean;
  readonly pending: boolean;
  readonly discard: () => void;
}

/** Sticks to the bottom of the window while there are unsaved changes. */
export function SaveBar({ changed, pending, discard }: SaveBarProps) {
  const mayChange = useMay('settings:write');
  if (!changed || !mayChange) return null;
  return (
    <Group className={classes.bar} justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {messages.unsaved}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={discard}>
          {messages.discard}
        </Button>
        <Button type="submit" loading={pending}>
          {shared.save}
        </Button>
      </Group>
    </Group>
  );
}
