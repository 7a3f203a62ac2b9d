import { ActionIcon, Menu } from '@mantine/core';
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical';
import { messages } from '../ui/messages';

interface OfferMenuProps {
  readonly label: string;
  readonly change: () => void;
  /** On, when it is off, and off when it is on. */
  readonly activity: { readonly label: string; readonly act: () => void };
  /** Where it can be deleted. */
  readonly remove?: () => void;
}

/** What can be done with something that customers are offered. */
export function OfferMenu({ label, change, activity, remove }: OfferMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray.8" aria-label={label}>
          <EllipsisVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={change}>{messages.change}</Menu.Item>
        <Menu.Item onClick={activity.act}>{activity.label}</Menu.Item>
        {remove !== undefined && (
          <>
            <Menu.Divider />
            <Menu.Item color="red.8" onClick={remove}>
              {messages.delete}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
