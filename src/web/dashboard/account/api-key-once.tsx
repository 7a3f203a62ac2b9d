import { Button, Checkbox, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schema } from '../../api/client';
import { CopyField } from '../../ui/copy-field';
import { Frame } from './frame';
import { messages } from './messages';

/** The only time that the key is seen: the way on opens once it is said to be stored. */
export function ApiKeyOnce({ company }: { readonly company: Schema<'NewUserCompany'> }) {
  const [kept, setKept] = useState(false);
  const navigate = useNavigate();
  return (
    <Frame title={messages.keyTitle} about={messages.keyAbout}>
      <Stack>
        <CopyField label={messages.clientId} value={company.client_id} />
        <CopyField label={messages.apiKey} value={company.api_key} />
        <Checkbox
          checked={kept}
          onChange={(event) => setKept(event.currentTarget.checked)}
          label={messages.keyKept}
        />
        <Button disabled={!kept} onClick={() => void navigate({ to: '/' })}>
          {messages.goOn}
        </Button>
      </Stack>
    </Frame>
  );
}
