import { Group } from '@mantine/core';
import { SectionLink } from '../shared/section-link';
import { messages } from './messages';

export function SectionLinks() {
  return (
    <Group component="nav" gap="xs" aria-label={messages.title}>
      <SectionLink to="/settings" activeOptions={{ exact: true }}>
        {messages.general}
      </SectionLink>
      <SectionLink to="/settings/routing">{messages.routing}</SectionLink>
      <SectionLink to="/settings/api-keys" activeOptions={{ includeSearch: false }}>
        {messages.apiKeys}
      </SectionLink>
    </Group>
  );
}
