import { Button, Code, CopyButton, Group } from '@mantine/core';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import classes from './copy-field.module.css';
import { messages } from './messages';

/** A text with a copy button. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <div className={classes.label}>{label}</div>
      <Group gap="xs" wrap="nowrap" align="stretch">
        <Code block className={classes.value} tabIndex={0} aria-label={label}>
          {value}
        </Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
              aria-label={messages.copyLabel(label)}
            >
              {copied ? messages.copied : messages.copy}
            </Button>
          )}
        </CopyButton>
      </Group>
    </div>
  );
}
