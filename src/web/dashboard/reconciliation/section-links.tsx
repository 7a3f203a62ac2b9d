import { Group } from '@mantine/core';
import { SectionLink } from '../shared/section-link';
import { messages } from './messages';

export function SectionLinks() {
  return (
    <Group component="nav" gap="xs" aria-label={messages.title}>
      <SectionLink to="/reconciliation" activeOptions={{ exact: true, includeSearch: false }}>
        {messages.statements}
      </SectionLink>
      <SectionLink to="/reconciliation/differences" activeOptions={{ includeSearch: false }}>
        {messages.differences}
      </SectionLink>
      <SectionLink to="/reconciliation/report" activeOptions={{ includeSearch: false }}>
        {messages.report}
      </SectionLink>
    </Group>
  );
}
