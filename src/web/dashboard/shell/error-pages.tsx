import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { failureWords } from '../../ui/forms/error-messages';
import { messages } from '../../ui/messages';
import { Page } from '../../ui/layout/page';
import { Nothing } from '../../ui/layout/page-states';
import { Frame } from '../account/frame';
import { ButtonLink } from '../shared/links';

/** No page has this address. */
export function NotThere() {
  return (
    <Frame title={messages.notThere}>
      <ButtonLink to="/">{messages.toOverview}</ButtonLink>
    </Frame>
  );
}

interface FailedProps {
  readonly error: unknown;
}

/** A page that could not be made: what it needs did not come, or it has a fault. */
export function PageFailed({ error }: FailedProps) {
  return (
    <Page title={messages.somethingWrong}>
      <Nothing title={failureWords(error)}>
        <Again />
      </Nothing>
    </Page>
  );
}

/** Not even what stands around the pages could be made. */
export function EverythingFailed({ error }: FailedProps) {
  return (
    <Frame title={messages.somethingWrong} about={failureWords(error)}>
      <Again />
    </Frame>
  );
}

function Again() {
  const router = useRouter();
  return <Button onClick={() => void router.invalidate()}>{messages.retry}</Button>;
}
