import { ActionIcon, Group } from '@mantine/core';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { messages } from '../messages';
import classes from './reorder-buttons.module.css';

interface MoveButtonsProps {
  /** What is moved, for whoever does not see it beside the buttons. */
  readonly name: string;
  /** Null where it is first already. */
  readonly up: (() => void) | null;
  /** Null where it is last already. */
  readonly down: (() => void) | null;
  readonly busy?: boolean;
}

/** A list is put in order with them, by keyboards and fingers alike. */
export function MoveButtons({ name, up, down, busy = false }: MoveButtonsProps) {
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray.8"
        className={classes.button}
        disabled={up === null || busy}
        onClick={() => up?.()}
        aria-label={messages.moveUp(name)}
      >
        <ArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray.8"
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
