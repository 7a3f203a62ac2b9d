import { Page } from '../../ui/layout/page';
import { messages } from './messages';
import { SecondFactor } from './second-factor';
import { Sessions } from './sessions';

export function OwnAccount() {
  return (
    <Page title={messages.title}>
      <SecondFactor />
      <Sessions />
    </Page>
  );
}
