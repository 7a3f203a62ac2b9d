import { ActionIcon, Menu } from '@mantine/core';
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical';
import type { ReactNode } from 'react';

interface RowMenuProps {
  readonly label: string;
  /** The items. */
  readonly children: ReactNode;
}

/** The menu at the end of a list's row. */
export function RowMenu({ label, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <EllipsisVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
