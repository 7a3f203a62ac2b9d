import { Group, Text, Title } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly about?: ReactNode;
  /** What can be done here, beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen reader that is taken to another page hears its title; on the first page the browser sees to that. */
let hasShownPage = false;

/** One page under its title. */
export function Page({ title, about, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    if (hasShownPage) heading.current?.focus({ preventScroll: true });
    hasShownPage = true;
  }, []);
  return (
    <div className={classes.page}>
      <Group justify="space-between" align="flex-start" gap="md" wrap="wrap">
        <div className={classes.heading}>
          <Title order={1} size="h2" ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" size="sm" component="div">
              {about}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </div>
  );
}
