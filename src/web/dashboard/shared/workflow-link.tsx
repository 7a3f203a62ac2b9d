import { Button, type ButtonProps } from '@mantine/core';
import ExternalLink from 'lucide-react/icons/external-link';
import type { Schema } from '../../api/client';
import { messages } from '../../ui/messages';

interface WorkflowLinkProps extends Pick<ButtonProps, 'size'> {
  readonly workflow: Schema<'WorkflowLink'>;
}

/** Link to the workflow in Temporal's UI; renders nothing without a URL. */
export function WorkflowLink({ workflow: { url }, size }: WorkflowLinkProps) {
  if (url === null) return null;
  return (
    <Button
      component="a"
      href={url}
      target="_blank"
      rel="noreferrer"
      variant="subtle"
      size={size}
      rightSection={<ExternalLink size={15} aria-hidden />}
    >
      {messages.inTemporal}
    </Button>
  );
}
