import { ColorInput, SimpleGrid, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { CSSProperties } from 'react';
import { Panel } from '../../ui/layout/panel';
import { useMe } from '../session';
import { readableOn } from '../../ui/contrast';
import type { ConfigForm } from './config-form';
import { listError } from '../../ui/forms/list-error';
import { messages } from './messages';
import classes from './settings.module.css';

interface BrandPanelProps {
  readonly form: UseFormReturnType<ConfigForm>;
  /** URL of the stored logo. */
  readonly logo: string | null;
}

export function BrandPanel({ form, logo }: BrandPanelProps) {
  return (
    <Panel title={messages.brand}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Stack>
          <TextInput
            {...form.getInputProps('brand.name')}
            label={messages.brandName}
            description={messages.brandNameHint}
            maxLength={255}
          />
          <TextInput
            {...form.getInputProps('brand.logo_url')}
            type="url"
            label={messages.logo}
            description={messages.logoHint}
          />
          <ColorInput
            {...form.getInputProps('brand.color')}
            label={messages.color}
            format="hex"
            withEyeDropper={false}
          />
          <TagsInput
            {...form.getInputProps('checkout_frame_origins')}
            error={listError(form.errors, 'checkout_frame_origins')}
            label={messages.frames}
            description={messages.framesHint}
            placeholder={messages.addOrigin}
            maxTags={10}
          />
        </Stack>
        <Preview brand={form.values.brand} logo={logo} />
      </SimpleGrid>
    </Panel>
  );
}

const COLOR = /^#[0-9a-f]{6}$/i;
const NEUTRAL = '#343a40';

function Preview({ brand, logo }: { readonly brand: ConfigForm['brand']; readonly logo: string | null }) {
  const { company } = useMe();
  const name = brand.name.trim() === '' ? company.name : brand.name;
  const color = COLOR.test(brand.color) ? brand.color : NEUTRAL;
  const colors = { '--preview-color': color, '--preview-text': readableOn(color) } as CSSProperties;
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {messages.preview}
      </Text>
      <div className={classes.preview} style={colors}>
        {logo !== null && brand.logo_url !== '' && <img src={new URL(logo).pathname} alt="" />}
        <Text fw={600}>{name}</Text>
        <span>{messages.pay}</span>
      </div>
    </div>
  );
}
