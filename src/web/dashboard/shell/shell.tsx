import { AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { SearchBox } from '../search/search-box';
import { AccountMenu } from './account-menu';
import { messages } from './messages';
import { ModeSwitch, TestDataBanner } from './mode-switch';
import { Navigation } from './navigation';
import classes from './shell.module.css';

/** Layout of every signed-in page. */
export function Shell() {
  const [opened, menu] = useDisclosure(false);
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a href="#content" className={classes.skip}>
        {messages.skip}
      </a>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger
            opened={opened}
            onClick={menu.toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={messages.menu}
            aria-expanded={opened}
          />
          <Group gap={10} wrap="nowrap" className={classes.product}>
            <span className={classes.mark} aria-hidden />
            <Text fw={650} visibleFrom="sm">
              {messages.product}
            </Text>
          </Group>
          <SearchBox />
          <ModeSwitch />
          <AccountMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" aria-label={messages.navigation} className={classes.navbar}>
        <Navigation onChoice={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <TestDataBanner />
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
