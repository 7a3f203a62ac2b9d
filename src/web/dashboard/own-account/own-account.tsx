import { Page } from '../../ui/layout/page';
import { messages } from './messages';
import { Profile } from './profile';
import { SecondFactor } from './second-factor';
import { OwnSessions } from '../sessions/own-sessions';

export function OwnAccount() {
  return (
    <Page title={messages.title}>
      <Profile />
      <SecondFactor />
      <OwnSessions />
    </Page>
  );
}
