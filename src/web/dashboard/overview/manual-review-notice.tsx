import { Alert, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { ButtonLink } from '../shared/links';
import { messages } from './messages';
import { deskQuery } from './queries';

/** Whether somebody is asked; nothing while nobody is. */
export function DeskNotice() {
  const { data: waiting = 0 } = useQuery(deskQuery);
  if (waiting === 0) return null;
  return (
    <Alert color="orange" icon={<TriangleAlert aria-hidden />} title={messages.desk(waiting)}>
      <Group justify="space-between">
        <Text size="sm">{messages.deskAbout}</Text>
        <ButtonLink to="/payments" search={{ stuck: true }} size="xs" variant="default">
          {messages.deskLink}
        </ButtonLink>
      </Group>
    </Alert>
  );
}
