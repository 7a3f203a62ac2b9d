import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Circle from 'lucide-react/icons/circle';
import CircleCheck from 'lucide-react/icons/circle-check';
import X from 'lucide-react/icons/x';
import { lazy, Suspense, type ReactNode } from 'react';
import { FormError } from '../../ui/forms/form-error';
import { Panel } from '../../ui/layout/panel';
import { useMe } from '../session';
import { Allowed } from '../shared/allowed';
import classes from './first-steps.module.css';
import { messages } from './messages';
import { onboardingQuery, useDismiss, type Onboarding, type Step } from './queries';

/** Forms of other pages: an overview without first steps does not load them. */
const load = () => import('./actions');
const ConnectGateway = lazy(async () => ({ default: (await load()).ConnectGateway }));
const MakePayment = lazy(async () => ({ default: (await load()).MakePayment }));
const ReceiveWebhook = lazy(async () => ({ default: (await load()).ReceiveWebhook }));
const ShareLink = lazy(async () => ({ default: (await load()).ShareLink }));

/**
 * What a new company does first, ticked off by what has happened. Hidden once all of it is done, or a user dismisses it. The page
 * shows its figures whether or not this loads.
 */
export function FirstSteps() {
  const { data: onboarding } = useQuery(onboardingQuery);
  if (onboarding === undefined || onboarding.completed || onboarding.dismissed) return null;
  return <Checklist steps={onboarding.steps} />;
}

function Checklist({ steps }: Pick<Onboarding, 'steps'>) {
  const done = steps.filter((step) => step.done).length;
  return (
    <Panel
      title={messages.title}
      subtitle={messages.progress(done, steps.length)}
      actions={
        <Allowed to="settings:write">
          <Dismiss />
        </Allowed>
      }
    >
      <ol className={classes.steps}>
        {steps.map(({ step, done: isDone }) => (
          <li key={step} className={classes.step}>
            <StepContent step={step} done={isDone} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function Dismiss() {
  const dismissing = useDismiss();
  return (
    <>
      <FormError error={dismissing.error} />
      <ActionIcon
        variant="subtle"
        color="gray"
        title={messages.dismiss}
        aria-label={messages.dismiss}
        loading={dismissing.isPending}
        onClick={() => dismissing.mutate()}
      >
        <X size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}

interface StepProps {
  readonly step: Step;
  readonly done: boolean;
}

function StepContent({ step, done }: StepProps) {
  const { title, hint } = messages.steps[step];
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      {done ? (
        <CircleCheck size={20} className={classes.done} role="img" aria-label={messages.done} />
      ) : (
        <Circle size={20} className={classes.open} role="img" aria-label={messages.toDo} />
      )}
      <Stack gap="xs" className={classes.text}>
        <div>
          <Text size="sm" fw={600} {...(done && { c: 'dimmed' })}>
            {title}
          </Text>
          {!done && (
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          )}
        </div>
        <Suspense>{actionOf(step, done)}</Suspense>
      </Stack>
    </Group>
  );
}

/** The result of a payment stays, and the receiver is still looked at, after their steps are done. */
function actionOf(step: Step, done: boolean): ReactNode {
  switch (step) {
    case 'connect_gateway':
      return done ? null : <ConnectGateway />;
    case 'make_payment':
      return <TestDataOnly done={done} action={<MakePayment done={done} />} />;
    case 'receive_webhook':
      return <TestDataOnly done={done} action={<ReceiveWebhook done={done} />} />;
    case 'share_link':
      return done ? null : <ShareLink />;
  }
}

function TestDataOnly({ done, action }: { readonly done: boolean; readonly action: ReactNode }) {
  const { company, modes } = useMe();
  if (company.mode === 'test') return action;
  return done || !modes.includes('test') ? null : (
    <Text size="sm" c="dimmed">
      {messages.inTestData}
    </Text>
  );
}
