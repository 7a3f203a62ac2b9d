import { Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title?: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Content that reaches the edges, as tables do. */
  readonly flush?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A part of a page that belongs together. */
export function Panel({ title, about, actions, flush = false, className, children }: PanelProps) {
  return (
    <Paper
      component="section"
      withBorder
      radius="md"
      className={[classes.panel, className].join(' ')}
      aria-label={title}
    >
      {(title !== undefined || actions !== undefined) && (
        <Group justify="space-between" wrap="wrap" gap="sm" className={classes.head}>
          <div>
            {title !== undefined && (
              <Title order={2} size="h5">
                {title}
              </Title>
            )}
            {about !== undefined && (
              <Text size="sm" c="dimmed" component="div">
                {about}
              </Text>
            )}
          </div>
          {actions}
        </Group>
      )}
      <div className={flush ? classes.flush : classes.body}>{children}</div>
    </Paper>
  );
}
