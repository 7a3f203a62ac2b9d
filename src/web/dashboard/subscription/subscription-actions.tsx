import { Button } from '@mantine/core';
import { useState } from 'react';
import { WorkflowLink } from '../shared/workflow-link';
import { CommandDialog } from './command-dialog';
import { messages } from './command-messages';
import { allowedCommands, type Command } from './commands';
import type { UserSubscription } from './queries';
import { useMay } from '../shared/allowed';

export function SubscriptionActions({
  data: { subscription, workflow },
}: {
  readonly data: UserSubscription;
}) {
  const [selected, select] = useState<Command | null>(null);
  const mayChange = useMay('subscriptions:write');
  return (
    <>
      {(mayChange ? allowedCommands(subscription) : []).map((what) => (
        <Button
          key={what}
          variant={what === 'resume' || what === 'retry' ? 'filled' : 'default'}
          onClick={() => select(what)}
        >
          {messages[what].button}
        </Button>
      ))}
      <WorkflowLink workflow={workflow} />
      {selected !== null && (
        <CommandDialog command={selected} subscription={subscription} close={() => select(null)} />
      )}
    </>
  );
}
