import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { colorSchemeManager } from './preferences';
import { queryClient, router } from './router';
import { theme } from './theme';

/** Shows nothing before something has happened, so the first page does not wait for it. */
const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }));

export function App({ styleNonce }: { readonly styleNonce: string }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={() => styleNonce}
    >
      <Suspense>
        <Notifications position="bottom-right" />
      </Suspense>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
