import { Paper, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import classes from './frame.module.css';

interface FrameProps {
  readonly title: string;
  readonly subtitle?: string;
  readonly children: ReactNode;
}

/** Page layout without navigation, for users who are not signed in. */
export function Frame({ title, subtitle, children }: FrameProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className={classes.page}>
      <Paper withBorder shadow="sm" radius="lg" className={classes.card}>
        <span className={classes.mark} aria-hidden />
        <Title order={1} size="h2">
          {title}
        </Title>
        {subtitle !== undefined && (
          <Text c="dimmed" size="sm" mt={4}>
            {subtitle}
          </Text>
        )}
        <div className={classes.body}>{children}</div>
      </Paper>
    </main>
  );
}
