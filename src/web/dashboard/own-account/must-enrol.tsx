import { Alert, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Frame } from '../account/frame';
import { Enrolment } from './enrolment';
import { messages } from './messages';
import { RecoveryCodes } from './recovery-codes';

/** For users whose company requires a second factor: the API refuses everything else until they have one. */
export function MustEnrol() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const goOn = async () => {
    queryClient.clear();
    await navigate({ to: '/' });
  };
  return (
    <Frame title={messages.mustTitle}>
      <Stack>
        <Alert color="blue" title={messages.required} />
        <Enrolment onEnabled={setCodes} />
      </Stack>
      {codes !== null && <RecoveryCodes codes={codes} close={() => void goOn()} />}
    </Frame>
  );
}
