import { Group } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import { messages } from './messages';
import classes from './settings.module.css';

const Section = createLink(function Section(props: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...props} className={classes.section} />;
});

export function SectionLinks() {
  return (
    <Group component="nav" gap="xs" aria-label={messages.title}>
      <Section to="/settings" activeOptions={{ exact: true }}>
        {messages.general}
      </Section>
      <Section to="/settings/routing">{messages.routing}</Section>
      <Section to="/settings/api-keys" activeOptions={{ includeSearch: false }}>
        {messages.apiKeys}
      </Section>
    </Group>
  );
}
