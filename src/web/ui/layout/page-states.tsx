import { Alert, Button, EmptyState, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiFailure } from '../../api/failure';
import { failureWords } from '../forms/error-messages';
import { messages } from '../messages';

interface Asked<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface LoadedProps<Data> {
  readonly query: Asked<Data>;
  /** Stands where the content will, in its size. */
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** What was asked for once it is there; until then its outline, and why it does not come. */
export function Loaded<Data>({ query, skeleton = <Lines />, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <Failed error={query.error} retry={() => void query.refetch()} />;
  return (
    <div role="status" aria-label={messages.loading}>
      {skeleton}
    </div>
  );
}

/** Outlines of so many lines. */
export function Lines({ count = 5 }: { readonly count?: number }) {
  return (
    <Stack gap="sm" p="md">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={20} width={index % 3 === 2 ? '70%' : '100%'} radius="sm" />
      ))}
    </Stack>
  );
}

function Failed({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const requestId = error instanceof ApiFailure ? error.requestId : null;
  return (
    <Alert color="red" role="alert" title={messages.somethingWrong} m="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{failureWords(error)}</Text>
        {requestId !== null && (
          <Text size="xs" c="dimmed">
            {messages.requestId(requestId)}
          </Text>
        )}
        <Button size="xs" variant="default" onClick={retry}>
          {messages.retry}
        </Button>
      </Stack>
    </Alert>
  );
}

interface NothingProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}

/** Where a list would be, had it anything in it. */
export function Nothing({ title, about, icon, children }: NothingProps) {
  return (
    <EmptyState title={title} description={about} icon={icon} size="sm" py="xl" px="md">
      {children}
    </EmptyState>
  );
}
