import { SegmentedControl, Stack, Text, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';
import { chooseLanguage, chosenLanguage } from '../preferences';
import { messages } from './messages';

const THEMES = ['auto', 'light', 'dark'] as const;

/** Chooses the theme and the language of the pages, for this browser. */
export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Stack gap="xs" mt="sm">
      <Labeled label={messages.theme}>
        <SegmentedControl
          aria-label={messages.theme}
          size="xs"
          fullWidth
          value={colorScheme}
          onChange={setColorScheme}
          data={THEMES.map((theme) => ({ value: theme, label: messages.themes[theme] }))}
        />
      </Labeled>
      <Labeled label={messages.language}>
        <SegmentedControl
          aria-label={messages.language}
          size="xs"
          fullWidth
          value={chosenLanguage ?? 'auto'}
          onChange={(language) => chooseLanguage(language === 'auto' ? null : language)}
          data={[
            { value: 'auto', label: messages.browserLanguage },
            { value: 'en', label: 'English' },
            { value: 'pt', label: 'Português' },
          ]}
        />
      </Labeled>
    </Stack>
  );
}

function Labeled({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      {/* The control has the same name for screen readers. */}
      <Text size="xs" c="dimmed" mb={4} aria-hidden>
        {label}
      </Text>
      {children}
    </div>
  );
}
