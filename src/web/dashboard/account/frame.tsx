import { Paper, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import classes from './frame.module.css';

interface FrameProps {
  readonly title: string;
  readonly about?: string;
  readonly children: ReactNode;
}

/** A page for people who are not signed in. */
export function Frame({ title, about, children }: FrameProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <main className={classes.ground}>
      <Paper withBorder shadow="sm" radius="lg" className={classes.sheet}>
        <span className={classes.mark} aria-hidden />
        <Title order={1} size="h2">
          {title}
        </Title>
        {about !== undefined && (
          <Text c="dimmed" size="sm" mt={4}>
            {about}
          </Text>
        )}
        <div className={classes.body}>{children}</div>
      </Paper>
    </main>
  );
}
