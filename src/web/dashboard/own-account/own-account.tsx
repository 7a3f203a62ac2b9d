import { Page } from '../../ui/layout/page';
import { messages } from './messages';
import { Sessions } from './sessions';

export function OwnAccount() {
  return (
    <Page title={messages.title}>
      <Sessions />
    </Page>
  );
}
