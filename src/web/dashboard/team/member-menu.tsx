import { Menu, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrapBody, api } from '../../api/client';
import { ConfirmDialog } from '../../ui/forms/confirm-dialog';
import { FormDialog } from '../../ui/forms/form-dialog';
import { messages as shared } from '../../ui/messages';
import { useMe } from '../session';
import { MemberSessions } from '../sessions/member-sessions';
import { RowMenu } from '../shared/row-menu';
import { messages } from './messages';
import type { Member } from './queries';
import { RoleSelect, type RoleForm } from './role-select';

interface MemberProps {
  readonly member: Member;
}

/** What owners and admins can do with a user; only owners with an owner. */
export function MemberMenu({ member }: MemberProps) {
  const me = useMe();
  const [openDialog, setOpenDialog] = useState<'role' | 'sessions' | 'reset' | 'remove' | null>(null);
  const close = () => setOpenDialog(null);
  const mayManage =
    me.permissions.includes('members:write') && (me.role === 'owner' || member.role !== 'owner');
  if (!mayManage) return null;
  return (
    <>
      <RowMenu label={messages.actions(member.name)}>
        <Menu.Item onClick={() => setOpenDialog('role')}>{messages.changeRole}</Menu.Item>
        <Menu.Item onClick={() => setOpenDialog('sessions')}>{messages.sessions}</Menu.Item>
        {member.two_factor && member.id !== me.id && me.permissions.includes('security:write') && (
          <Menu.Item onClick={() => setOpenDialog('reset')}>{messages.reset}</Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item color="red" onClick={() => setOpenDialog('remove')}>
          {shared.remove}
        </Menu.Item>
      </RowMenu>
      {openDialog === 'role' && <RoleDialog member={member} close={close} />}
      {openDialog === 'sessions' && <MemberSessions member={member} close={close} />}
      {openDialog === 'reset' && <ResetDialog member={member} close={close} />}
      {openDialog === 'remove' && <RemoveDialog member={member} close={close} />}
    </>
  );
}

interface DialogProps extends MemberProps {
  readonly close: () => void;
}

function RoleDialog({ member: { id, role }, close }: DialogProps) {
  const form = useForm<RoleForm>({ initialValues: { role } });
  const params = { path: { id } };
  return (
    <FormDialog
      title={messages.changeRole}
      action={shared.save}
      form={form}
      save={async (body) => void (await unwrapBody(api.PATCH('/user/company/users/{id}', { params, body })))}
      success={shared.saved}
      reloads={['team']}
      close={close}
    >
      <Text size="sm">{messages.changeRoleText}</Text>
      <RoleSelect form={form} />
    </FormDialog>
  );
}

function ResetDialog({ member: { id, name }, close }: DialogProps) {
  const params = { path: { id } };
  const resetting = useMemberAction(
    () => unwrapBody(api.DELETE('/user/company/users/{id}/two-factor', { params })),
    shared.saved,
    close,
  );
  return (
    <ConfirmDialog
      title={messages.resetTitle}
      action={messages.reset}
      dangerous
      pending={resetting.isPending}
      error={resetting.error}
      confirm={() => resetting.mutate()}
      close={close}
    >
      {messages.resetText(name)}
    </ConfirmDialog>
  );
}

function RemoveDialog({ member: { id, name }, close }: DialogProps) {
  const params = { path: { id } };
  const removing = useMemberAction(
    () => unwrapBody(api.DELETE('/user/company/users/{id}', { params })),
    messages.removed,
    close,
  );
  return (
    <ConfirmDialog
      title={messages.removeTitle}
      action={shared.remove}
      dangerous
      pending={removing.isPending}
      error={removing.error}
      confirm={() => removing.mutate()}
      close={close}
    >
      {messages.removeText(name)}
    </ConfirmDialog>
  );
}

function useMemberAction(run: () => Promise<unknown>, success: string, close: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => {
      notifications.show({ color: 'teal', message: success });
      close();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['team'] }),
  });
}
