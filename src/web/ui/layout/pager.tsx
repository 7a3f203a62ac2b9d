import { Button, Group, Text } from '@mantine/core';
import { messages } from '../messages';

interface PagerProps {
  readonly meta: { readonly current_page: number; readonly last_page: number };
  /** Label with the number of items. */
  readonly total: string;
  readonly goTo: (page: number) => void;
}

export function Pager({ meta: { current_page: current, last_page: last }, total, goTo }: PagerProps) {
  return (
    <Group
      component="nav"
      justify="space-between"
      px={{ base: 'md', xs: 'lg' }}
      py="sm"
      gap="xs"
      aria-label={messages.page(current, last)}
    >
      <Text size="sm" c="dimmed" aria-live="polite">
        {total} · {messages.page(current, last)}
      </Text>
      {last > 1 && (
        <Group gap="xs">
          <Button size="xs" variant="default" disabled={current <= 1} onClick={() => goTo(current - 1)}>
            {messages.previous}
          </Button>
          <Button size="xs" variant="default" disabled={current >= last} onClick={() => goTo(current + 1)}>
            {messages.next}
          </Button>
        </Group>
      )}
    </Group>
  );
}
