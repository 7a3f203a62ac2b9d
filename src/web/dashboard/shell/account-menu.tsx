import { Avatar, Button, Divider, Popover, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import LogOut from 'lucide-react/icons/log-out';
import User from 'lucide-react/icons/user';
import { unwrapBody, api } from '../../api/client';
import { useMe } from '../session';
import { TextLink } from '../shared/links';
import { Appearance } from './appearance';
import { messages } from './messages';
import classes from './shell.module.css';

export function AccountMenu() {
  const { name, email, company } = useMe();
  return (
    <Popover position="bottom-end" width={290} shadow="md" withinPortal={false} trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.account} aria-label={messages.account}>
          <Avatar color="brand" radius="xl" size={34}>
            <User size={18} aria-hidden />
          </Avatar>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={messages.account}>
        <Text size="sm" fw={600}>
          {company.name}
        </Text>
        <Text size="sm">{name}</Text>
        <Text size="xs" c="dimmed" className={classes.email}>
          {email}
        </Text>
        <TextLink to="/account" fz="sm">
          {messages.security}
        </TextLink>
        <Appearance />
        <Divider my="sm" />
        <SignOut />
      </Popover.Dropdown>
    </Popover>
  );
}

function SignOut() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signingOut = useMutation({
    mutationFn: () => unwrapBody(api.POST('/auth/logout')),
    onSuccess: async () => {
      await navigate({ to: '/login' });
      queryClient.clear();
    },
  });
  return (
    <Button
      variant="default"
      fullWidth
      loading={signingOut.isPending}
      leftSection={<LogOut size={16} aria-hidden />}
      onClick={() => signingOut.mutate()}
    >
      {messages.signOut}
    </Button>
  );
}
