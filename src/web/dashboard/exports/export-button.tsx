import { Button, Group, Menu, Progress, Stack, Text } from '@mantine/core';
import Download from 'lucide-react/icons/download';
import type { ComponentProps } from 'react';
import { count } from '../../ui/formats';
import { useMay } from '../shared/allowed';
import { messages } from './messages';
import { useExport, type ExportChoice } from './use-export';

interface ExportButtonProps {
  /** With one, the button starts it; with several, it opens a menu. */
  readonly choices: readonly ExportChoice[];
}

/** Downloads a whole list as CSV and shows how far it is. */
export function ExportButton({ choices }: ExportButtonProps) {
  const { running, start, cancel } = useExport();
  const isAllowed = useMay('export');
  if (!isAllowed) return null;
  if (running !== null) return <ExportProgress {...running} cancel={cancel} />;
  const [only, ...others] = choices;
  if (only !== undefined && others.length === 0) {
    return <StartButton disabled={only.total === 0} onClick={() => void start(only)} />;
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <StartButton />
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.Item key={choice.kind} disabled={choice.total === 0} onClick={() => void start(choice)}>
            {messages.kinds[choice.kind]}
            <Text size="xs" c="dimmed">
              {messages.hints[choice.kind]}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function StartButton(props: ComponentProps<'button'>) {
  return (
    <Button variant="default" leftSection={<Download size={16} aria-hidden />} {...props}>
      {messages.export}
    </Button>
  );
}

interface ExportProgressProps {
  readonly rows: number;
  readonly total: number | undefined;
  readonly cancel: () => void;
}

function ExportProgress({ rows, total, cancel }: ExportProgressProps) {
  // Rows may be added meanwhile.
  const expected = total === undefined ? undefined : Math.max(rows, total);
  const label =
    expected === undefined ? messages.rows(count(rows)) : messages.progress(count(rows), count(expected));
  return (
    <Group gap="sm">
      <Stack gap={4} miw={160}>
        <Text size="sm" c="dimmed" aria-live="polite">
          {label}
        </Text>
        <Progress
          value={expected === undefined ? 100 : (100 * rows) / Math.max(expected, 1)}
          animated={expected === undefined}
          aria-label={label}
        />
      </Stack>
      <Button variant="default" onClick={cancel}>
        {messages.cancel}
      </Button>
    </Group>
  );
}
