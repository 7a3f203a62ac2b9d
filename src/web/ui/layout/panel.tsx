import { Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './panel.module.css';

interface PanelProps {
  readonly title?: string;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  /** Lets content such as tables reach the edges. */
  readonly flush?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A titled section of a page. */
export function Panel({ title, subtitle, actions, flush = false, className, children }: PanelProps) {
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
            {subtitle !== undefined && (
              <Text size="sm" c="dimmed" component="div">
                {subtitle}
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
