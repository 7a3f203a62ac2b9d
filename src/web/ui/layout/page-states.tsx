import { Alert, Button, EmptyState, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RequestError } from '../../api/request-error';
import { errorMessage } from '../forms/error-messages';
import { messages } from '../messages';

export interface QueryResult<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

interface QueryContentProps<Data> {
  readonly query: QueryResult<Data>;
  /** Placeholder with the size of the content. */
  readonly skeleton?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** Renders the data of a query, a skeleton while it loads, or the error. */
export function QueryContent<Data>({
  query,
  skeleton = <SkeletonLines />,
  children,
}: QueryContentProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <LoadError error={query.error} retry={() => void query.refetch()} />;
  return <Loading>{skeleton}</Loading>;
}

/** Says to screen readers what its placeholder shows. */
export function Loading({ children }: { readonly children: ReactNode }) {
  return (
    <div role="status" aria-label={messages.loading}>
      {children}
    </div>
  );
}

/** Skeleton of text lines. */
export function SkeletonLines({ count = 5 }: { readonly count?: number }) {
  return (
    <Stack gap="sm" p="md">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={20} width={index % 3 === 2 ? '70%' : '100%'} radius="sm" />
      ))}
    </Stack>
  );
}

export function LoadError({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const requestId = error instanceof RequestError ? error.requestId : null;
  return (
    <Alert color="red" role="alert" title={messages.somethingWrong} m="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{errorMessage(error)}</Text>
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

interface EmptyMessageProps {
  readonly title: string;
  readonly hint?: ReactNode;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}

/** Replaces an empty list. */
export function EmptyMessage({ title, hint, icon, children }: EmptyMessageProps) {
  return (
    <EmptyState title={title} description={hint} icon={icon} size="sm" py="xl" px="md">
      {children}
    </EmptyState>
  );
}
