import { Button } from '@mantine/core';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { messages } from '../../ui/messages';
import classes from './list.module.css';

interface ShowLatestProps {
  /** Null if the list shows the latest. */
  readonly show: (() => void) | null;
}

/** Lies over the list's head, so that no row moves. */
export function ShowLatest({ show }: ShowLatestProps) {
  if (show === null) return null;
  return (
    <div className={classes.latest} role="status">
      <Button size="xs" radius="xl" onClick={show} leftSection={<ArrowUp size={14} aria-hidden />}>
        {messages.showLatest}
      </Button>
    </div>
  );
}
