import { ActionIcon, Group } from '@mantine/core';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { messages } from '../messages';
import classes from './reorder-buttons.module.css';

interface ReorderButtonsProps {
  /** Name of the item, for screen readers. */
  readonly name: string;
  /** Null for the first item. */
  readonly up: (() => void) | null;
  /** Null for the last item. */
  readonly down: (() => void) | null;
  readonly busy?: boolean;
}

/** Buttons that move a list item up or down. */
export function ReorderButtons({ name, up, down, busy = false }: ReorderButtonsProps) {
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.button}
        disabled={up === null || busy}
        onClick={() => up?.()}
        aria-label={messages.moveUp(name)}
      >
        <ArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        className={classes.button}
        disabled={down === null || busy}
        onClick={() => down?.()}
        aria-label={messages.moveDown(name)}
      >
        <ArrowDown size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
