import type { ReactNode } from 'react';
import type { Schema } from '../../api/client';
import { useMe } from '../session';

type Permission = Schema<'Permission'>;

/** Whether the user's role gives the permission. The API checks it again. */
export function useMay(permission: Permission): boolean {
  return useMe().permissions.includes(permission);
}

interface AllowedProps {
  readonly to: Permission;
  readonly children: ReactNode;
}

/** Shows its content only to users with the permission. */
export function Allowed({ to, children }: AllowedProps) {
  return useMay(to) ? children : null;
}
