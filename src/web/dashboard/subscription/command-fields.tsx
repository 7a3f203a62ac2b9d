import { Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { RequestError } from '../../api/request-error';
import { fieldErrors } from '../../ui/forms/form-error';
import { dayAfter, dayIn, startOfDay } from '../shared/days';
import { useDates } from '../shared/use-dates';
import { messages } from './command-messages';
import type { CommandRequest } from './commands';
import type { Subscription } from './queries';

interface ChoiceProps {
  readonly change: (request: CommandRequest) => void;
}

interface PauseChoiceProps extends ChoiceProps {
  readonly error: unknown;
}

/** Until resumed, or until the start of a day. */
export function PauseChoice({ change, error }: PauseChoiceProps) {
  const { timeZone } = useDates();
  const tomorrow = dayAfter(dayIn(timeZone, new Date()));
  const [day, setDay] = useState<string | null>(null);
  const choose = (chosen: string | null) => {
    setDay(chosen);
    change(
      chosen === null || chosen === '' ? {} : { paused_until: startOfDay(chosen, timeZone).toISOString() },
    );
  };
  return (
    <Radio.Group
      label={messages.pauseUntil}
      value={day === null ? 'open' : 'day'}
      onChange={(value) => choose(value === 'day' ? tomorrow : null)}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="open" label={messages.pauseOpen} />
        <Radio value="day" label={messages.pauseDay} />
        {day !== null && (
          <TextInput
            type="date"
            label={messages.resumeDate}
            value={day}
            min={tomorrow}
            required
            onChange={({ currentTarget: { value } }) => choose(value)}
            error={error instanceof RequestError && fieldErrors(error)['paused_until']}
          />
        )}
      </Stack>
    </Radio.Group>
  );
}

interface CancelChoiceProps extends ChoiceProps {
  readonly subscription: Subscription;
  readonly request: CommandRequest;
}

/** At the end of the paid period, or immediately. */
export function CancelChoice({ subscription, request, change }: CancelChoiceProps) {
  const dates = useDates();
  const { current_period: period, cancel_at_period_end: ends } = subscription;
  return (
    <Radio.Group
      label={messages.cancelWhen}
      value={request.at_period_end === true ? 'later' : 'now'}
      onChange={(value) => change({ at_period_end: value === 'later' })}
    >
      <Stack gap="xs" mt="xs">
        {!ends && period !== null && (
          <Radio value="later" label={messages.cancelLater(dates.day(period.end))} />
        )}
        <Radio value="now" label={messages.cancelNow} />
      </Stack>
    </Radio.Group>
  );
}
