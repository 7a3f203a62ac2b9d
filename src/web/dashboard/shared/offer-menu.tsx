import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { failureWords } from '../../ui/forms/error-messages';
import { messages } from '../../ui/messages';

/** Something that is asked about before it is done. */
interface Deed {
  readonly label: string;
  readonly title: string;
  readonly about: string;
  readonly dangerous?: boolean;
  readonly act: () => Promise<unknown>;
}

interface OfferMenuProps {
  readonly label: string;
  /** The key of the queries that show it. */
  readonly shownBy: string;
  readonly isActive: boolean;
  /** Where it is changed. */
  readonly dialog: (close: () => void) => ReactNode;
  readonly turnOn: { readonly label: string; readonly act: () => Promise<unknown> };
  readonly turnOff: Deed;
  /** Where it can be deleted. */
  readonly remove?: Deed;
}

/** What can be done with something that customers are offered. */
export function OfferMenu({ label, shownBy, isActive, dialog, turnOn, turnOff, remove }: OfferMenuProps) {
  const [asked, ask] = useState<'change' | 'off' | 'delete' | null>(null);
  const close = () => ask(null);
  const on = useDeed(shownBy, turnOn.act, (error) => {
    notifications.show({ color: 'red', message: failureWords(error) });
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray.8" aria-label={label}>
            <EllipsisVertical size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => ask('change')}>{messages.change}</Menu.Item>
          {isActive ? (
            <Menu.Item onClick={() => ask('off')}>{turnOff.label}</Menu.Item>
          ) : (
            <Menu.Item onClick={() => on.mutate()}>{turnOn.label}</Menu.Item>
          )}
          {remove !== undefined && (
            <>
              <Menu.Divider />
              <Menu.Item color="red.8" onClick={() => ask('delete')}>
                {remove.label}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked === 'change' && dialog(close)}
      {asked === 'off' && <Confirmed deed={turnOff} shownBy={shownBy} close={close} />}
      {asked === 'delete' && remove !== undefined && (
        <Confirmed deed={remove} shownBy={shownBy} close={close} />
      )}
    </>
  );
}

interface ConfirmedProps {
  readonly deed: Deed;
  readonly shownBy: string;
  readonly close: () => void;
}

function Confirmed({ deed, shownBy, close }: ConfirmedProps) {
  const { isPending, error, mutate } = useDeed(shownBy, deed.act, undefined, close);
  const { title, about, label, dangerous } = deed;
  return (
    <ConfirmDialog
      title={title}
      about={about}
      deed={label}
      {...(dangerous !== undefined && { dangerous })}
      pending={isPending}
      error={error}
      confirm={() => mutate()}
      close={close}
    />
  );
}

function useDeed(
  shownBy: string,
  act: () => Promise<unknown>,
  onError?: (error: Error) => void,
  onSuccess?: () => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [shownBy] }),
    ...(onError && { onError }),
    ...(onSuccess && { onSuccess }),
  });
}
