import { Button } from '@mantine/core';
import { useState } from 'react';
import { WorkflowLink } from '../shared/workflow-link';
import { CommandDialog } from './command-dialog';
import { messages } from './command-messages';
import { possibleCommands, type Command } from './commands';
import type { UserSubscription } from './queries';

/** What can be done about the subscription. */
export function SubscriptionActions({
  data: { subscription, workflow },
}: {
  readonly data: UserSubscription;
}) {
  const [asked, ask] = useState<Command | null>(null);
  return (
    <>
      {possibleCommands(subscription).map((what) => (
        <Button
          key={what}
          variant={what === 'resume' || what === 'retry' ? 'filled' : 'default'}
          onClick={() => ask(what)}
        >
          {messages[what].button}
        </Button>
      ))}
      <WorkflowLink workflow={workflow} />
      {asked !== null && <CommandDialog what={asked} subscription={subscription} close={() => ask(null)} />}
    </>
  );
}
