import { Button } from '@mantine/core';
import Plus from 'lucide-react/icons/plus';
import { useState, type ReactNode } from 'react';
import { Page } from '../../ui/layout/page';
import type { Schema } from '../../api/client';
import { Allowed } from './allowed';

interface ListPageProps {
  readonly title: string;
  readonly subtitle: string;
  /** Label of the button that opens the dialog. */
  readonly add: string;
  /** What creating an item requires; the button is hidden from others. */
  readonly permission: Schema<'Permission'>;
  /** Other buttons, before that one. */
  readonly actions?: ReactNode;
  /** Renders the dialog that creates an item. */
  readonly createDialog: (close: () => void) => ReactNode;
  readonly children: ReactNode;
}

/** A page that lists items, with a button to create one. */
export function ListPage(props: ListPageProps) {
  const { title, subtitle, add, permission, actions, createDialog, children } = props;
  const [creating, setCreating] = useState(false);
  return (
    <Page
      title={title}
      subtitle={subtitle}
      actions={
        <>
          {actions}
          <Allowed to={permission}>
            <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
              {add}
            </Button>
          </Allowed>
        </>
      }
    >
      {children}
      {creating && createDialog(() => setCreating(false))}
    </Page>
  );
}
