import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { errorMessage } from '../../ui/forms/error-messages';
import { messages } from '../../ui/messages';
import { useMay } from './allowed';
import { RowMenu } from './row-menu';

/** An action that asks for confirmation. */
interface ConfirmedAction {
  readonly label: string;
  readonly title: string;
  readonly text: string;
  readonly dangerous?: boolean;
  readonly run: () => Promise<unknown>;
}

interface OfferMenuProps {
  readonly label: string;
  /** Key of the queries to reload after an action. */
  readonly listKey: string;
  readonly isActive: boolean;
  /** Renders the edit dialog. */
  readonly editDialog: (close: () => void) => ReactNode;
  readonly activate: { readonly label: string; readonly run: () => Promise<unknown> };
  readonly deactivate: ConfirmedAction;
  /** Set if the item can be deleted. */
  readonly remove?: ConfirmedAction;
}

/** Menu of a plan, coupon or payment link. */
export function OfferMenu({
  label,
  listKey,
  isActive,
  editDialog,
  activate,
  deactivate,
  remove,
}: OfferMenuProps) {
  const [openDialog, setOpenDialog] = useState<'edit' | 'deactivate' | 'delete' | null>(null);
  const mayChange = useMay('catalog:write');
  const close = () => setOpenDialog(null);
  const activation = useAction(listKey, activate.run, (error) => {
    notifications.show({ color: 'red', message: errorMessage(error) });
  });
  if (!mayChange) return null;
  return (
    <>
      <RowMenu label={label}>
        <Menu.Item onClick={() => setOpenDialog('edit')}>{messages.edit}</Menu.Item>
        {isActive ? (
          <Menu.Item onClick={() => setOpenDialog('deactivate')}>{deactivate.label}</Menu.Item>
        ) : (
          <Menu.Item onClick={() => activation.mutate()}>{activate.label}</Menu.Item>
        )}
        {remove !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => setOpenDialog('delete')}>
              {remove.label}
            </Menu.Item>
          </>
        )}
      </RowMenu>
      {openDialog === 'edit' && editDialog(close)}
      {openDialog === 'deactivate' && <ActionDialog action={deactivate} listKey={listKey} close={close} />}
      {openDialog === 'delete' && remove !== undefined && (
        <ActionDialog action={remove} listKey={listKey} close={close} />
      )}
    </>
  );
}

interface ActionDialogProps {
  readonly action: ConfirmedAction;
  readonly listKey: string;
  readonly close: () => void;
}

function ActionDialog({ action, listKey, close }: ActionDialogProps) {
  const { isPending, error, mutate } = useAction(listKey, action.run, undefined, close);
  const { title, text, label, dangerous } = action;
  return (
    <ConfirmDialog
      title={title}
      action={label}
      {...(dangerous !== undefined && { dangerous })}
      pending={isPending}
      error={error}
      confirm={() => mutate()}
      close={close}
    >
      {text}
    </ConfirmDialog>
  );
}

function useAction(
  listKey: string,
  run: () => Promise<unknown>,
  onError?: (error: Error) => void,
  onSuccess?: () => void,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [listKey] }),
    ...(onError && { onError }),
    ...(onSuccess && { onSuccess }),
  });
}
