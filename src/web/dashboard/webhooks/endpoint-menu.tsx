import { ActionIcon, Menu } from '@mantine/core';
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical';
import { useState } from 'react';
import { messages as shared } from '../../ui/messages';
import { EndpointDialog } from './endpoint-dialog';
import { DeleteDialog, RotateDialog } from './endpoint-dialogs';
import { messages } from './messages';
import type { Endpoint } from './queries';
import { useChangeEndpoint, useTestEndpoint } from './use-endpoint';

interface EndpointMenuProps {
  readonly endpoint: Endpoint;
  readonly showSecret: (secret: string) => void;
}

/** What can be done with an endpoint. */
export function EndpointMenu({ endpoint, showSecret }: EndpointMenuProps) {
  const [asked, ask] = useState<'change' | 'rotate' | 'delete' | null>(null);
  const change = useChangeEndpoint(endpoint.id);
  const test = useTestEndpoint(endpoint.id);
  const close = () => ask(null);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray.8" aria-label={messages.actions(endpoint.url)}>
            <EllipsisVertical size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => ask('change')}>{messages.change}</Menu.Item>
          <Menu.Item disabled={!endpoint.enabled} onClick={() => test.mutate()}>
            {messages.test}
          </Menu.Item>
          <Menu.Item onClick={() => ask('rotate')}>{messages.rotate}</Menu.Item>
          <Menu.Item onClick={() => change.mutate({ enabled: !endpoint.enabled })}>
            {endpoint.enabled ? messages.turnOff : messages.turnOn}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red.8" onClick={() => ask('delete')}>
            {shared.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {asked === 'change' && <EndpointDialog endpoint={endpoint} close={close} />}
      {asked === 'rotate' && <RotateDialog endpoint={endpoint} close={close} showSecret={showSecret} />}
      {asked === 'delete' && <DeleteDialog endpoint={endpoint} close={close} />}
    </>
  );
}
