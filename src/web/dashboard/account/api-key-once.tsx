import { Button, Checkbox, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schema } from '../../api/client';
import { CopyField } from '../../ui/copy-field';
import { Frame } from './frame';
import { messages } from './messages';

/** The API key is shown only here. The button is enabled once the user confirms that the key is stored. */
export function ApiKeyOnce({ company }: { readonly company: Schema<'NewUserCompany'> }) {
  const [isStored, setStored] = useState(false);
  const navigate = useNavigate();
  return (
    <Frame title={messages.keyTitle} subtitle={messages.keySubtitle}>
      <Stack>
        <CopyField label={messages.clientId} value={company.client_id} />
        <CopyField label={messages.apiKey} value={company.api_key} />
        <Checkbox
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
          label={messages.keyStored}
        />
        <Button disabled={!isStored} onClick={() => void navigate({ to: '/' })}>
          {messages.toDashboard}
        </Button>
      </Stack>
    </Frame>
  );
}
