import { Menu } from '@mantine/core';
import { useState } from 'react';
import { messages as shared } from '../../ui/messages';
import { EndpointDialog } from './endpoint-dialog';
import { DeleteDialog, RotateDialog } from './endpoint-dialogs';
import { messages } from './messages';
import type { Endpoint } from './queries';
import { useChangeEndpoint, useTestEndpoint } from './use-endpoint';
import { useMay } from '../shared/allowed';
import { RowMenu } from '../shared/row-menu';

interface EndpointMenuProps {
  readonly endpoint: Endpoint;
  readonly showSecret: (secret: string) => void;
}

export function EndpointMenu({ endpoint, showSecret }: EndpointMenuProps) {
  const [openDialog, setOpenDialog] = useState<'edit' | 'rotate' | 'delete' | null>(null);
  const change = useChangeEndpoint(endpoint.id);
  const test = useTestEndpoint(endpoint.id);
  const mayChange = useMay('webhooks:write');
  const close = () => setOpenDialog(null);
  if (!mayChange) return null;
  return (
    <>
      <RowMenu label={messages.actions(endpoint.url)}>
        <Menu.Item onClick={() => setOpenDialog('edit')}>{shared.edit}</Menu.Item>
        <Menu.Item disabled={!endpoint.enabled} onClick={() => test.mutate()}>
          {messages.test}
        </Menu.Item>
        <Menu.Item onClick={() => setOpenDialog('rotate')}>{messages.rotate}</Menu.Item>
        <Menu.Item onClick={() => change.mutate({ enabled: !endpoint.enabled })}>
          {endpoint.enabled ? messages.disable : messages.enable}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => setOpenDialog('delete')}>
          {shared.delete}
        </Menu.Item>
      </RowMenu>
      {openDialog === 'edit' && <EndpointDialog endpoint={endpoint} close={close} />}
      {openDialog === 'rotate' && <RotateDialog endpoint={endpoint} close={close} showSecret={showSecret} />}
      {openDialog === 'delete' && <DeleteDialog endpoint={endpoint} close={close} />}
    </>
  );
}
