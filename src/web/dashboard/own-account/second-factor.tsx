import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { unwrapBody, api } from '../../api/client';
import { FormDialog } from '../../ui/forms/form-dialog';
import { Panel } from '../../ui/layout/panel';
import { QueryContent } from '../../ui/layout/page-states';
import { messages as shared } from '../../ui/messages';
import { useDates } from '../shared/use-dates';
import { Enrolment } from './enrolment';
import { messages } from './messages';
import { RecoveryCodes } from './recovery-codes';

const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: async () => (await unwrapBody(api.GET('/user/me/two-factor'))).data,
});

export function SecondFactor() {
  const dates = useDates();
  const state = useQuery(twoFactorQuery);
  const queryClient = useQueryClient();
  const [enrolling, setEnrolling] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const showCodes = (shown: readonly string[]) => {
    setCodes(shown);
    setEnrolling(false);
    void queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey });
  };
  return (
    <Panel title={messages.secondFactor}>
      <QueryContent query={state}>
        {({ enabled_at: enabledAt, recovery_codes_left: left }) =>
          enabledAt === null ? (
            <Stack align="flex-start">
              <Text size="sm">{messages.off}</Text>
              {enrolling ? (
                <Enrolment onEnabled={showCodes} />
              ) : (
                <Button onClick={() => setEnrolling(true)}>{messages.turnOn}</Button>
              )}
            </Stack>
          ) : (
            <Group justify="space-between">
              <Text size="sm">{messages.on(dates.day(enabledAt), left)}</Text>
              <Changes showCodes={showCodes} />
            </Group>
          )
        }
      </QueryContent>
      {codes !== null && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
    </Panel>
  );
}

interface ChangesProps {
  readonly showCodes: (codes: readonly string[]) => void;
}

function Changes({ showCodes }: ChangesProps) {
  const [openDialog, setOpenDialog] = useState<'off' | 'renew' | null>(null);
  const close = () => setOpenDialog(null);
  const renew = async (body: { otp: string }) => {
    const { data } = await unwrapBody(api.POST('/user/me/two-factor/recovery-codes', { body }));
    showCodes(data.recovery_codes);
  };
  return (
    <Group gap="xs">
      <Button variant="default" onClick={() => setOpenDialog('renew')}>
        {messages.renew}
      </Button>
      <Button variant="default" onClick={() => setOpenDialog('off')}>
        {messages.turnOff}
      </Button>
      {openDialog === 'renew' && <CodeDialog title={messages.renew} save={renew} close={close} />}
      {openDialog === 'off' && (
        <CodeDialog
          title={messages.turnOff}
          save={async (body) => void (await unwrapBody(api.POST('/user/me/two-factor/disable', { body })))}
          close={close}
        />
      )}
    </Group>
  );
}

interface CodeDialogProps {
  readonly title: string;
  readonly save: (body: { otp: string }) => Promise<void>;
  readonly close: () => void;
}

/** Asks for a code before something that weakens the account. */
function CodeDialog({ title, save, close }: CodeDialogProps) {
  const form = useForm({ initialValues: { otp: '' } });
  return (
    <FormDialog
      title={title}
      action={title}
      form={form}
      save={save}
      success={shared.saved}
      reloads={twoFactorQuery.queryKey}
      close={close}
    >
      <TextInput
        {...form.getInputProps('otp')}
        autoComplete="one-time-code"
        required
        label={messages.anyCode}
        data-autofocus
      />
    </FormDialog>
  );
}
