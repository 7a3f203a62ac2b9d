import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { errorMessage } from '../../ui/forms/error-messages';
import { messages } from '../../ui/messages';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
import { Frame } from '../account/frame';
import { ButtonLink } from '../shared/links';

export function NotFoundPage() {
  return (
    <Frame title={messages.notFound}>
      <ButtonLink to="/">{messages.toOverview}</ButtonLink>
    </Frame>
  );
}

interface ErrorPageProps {
  readonly error: unknown;
}

/** Shown when a page failed to load or to render. */
export function ErrorPage({ error }: ErrorPageProps) {
  return (
    <Page title={messages.somethingWrong}>
      <EmptyMessage title={errorMessage(error)}>
        <RetryButton />
      </EmptyMessage>
    </Page>
  );
}

/** Shown when the layout of the dashboard failed to load. */
export function AppErrorPage({ error }: ErrorPageProps) {
  return (
    <Frame title={messages.somethingWrong} subtitle={errorMessage(error)}>
      <RetryButton />
    </Frame>
  );
}

function RetryButton() {
  const router = useRouter();
  return <Button onClick={() => void router.invalidate()}>{messages.retry}</Button>;
}
