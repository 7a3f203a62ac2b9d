import { lazy } from 'react';

/* Forms load when they are opened: the page itself needs none. */

export const OperationDialog = lazy(async () => ({
  default: (await import('./operation-dialog')).OperationDialog,
}));

export const ResolveDialog = lazy(async () => ({
  default: (await import('./resolve-dialog')).ResolveDialog,
}));
