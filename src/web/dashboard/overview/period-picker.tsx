import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { messages } from './messages';
import { DAY_COUNTS, type Days, type Period } from './period';

const CUSTOM = 'custom';

interface PeriodPickerProps {
  readonly period: Period;
  readonly days: Days;
}

/** The period is stored in the URL. */
export function PeriodPicker({ period, days }: PeriodPickerProps) {
  const navigate = useNavigate();
  const show = (search: Period) => void navigate({ to: '/', search });
  const isCustom = period.from !== undefined;
  const choose = (value: string) => {
    if (value === CUSTOM) return show({ ...days });
    const count = DAY_COUNTS.find((item) => String(item) === value);
    show(count === undefined ? {} : { days: count });
  };
  return (
    <Group gap="xs" align="flex-end">
      <SegmentedControl
        aria-label={messages.period}
        value={isCustom ? CUSTOM : String(period.days ?? 30)}
        onChange={choose}
        data={[
          ...DAY_COUNTS.map((count) => ({ value: String(count), label: messages.days(count) })),
          { value: CUSTOM, label: messages.custom },
        ]}
      />
      {isCustom && <CustomDays days={days} show={show} />}
    </Group>
  );
}

function CustomDays({ days, show }: { readonly days: Days; readonly show: (days: Days) => void }) {
  const change = (part: Partial<Days>) => {
    const changed = { ...days, ...part };
    if (changed.from !== '' && changed.to !== '' && changed.from <= changed.to) show(changed);
  };
  return (
    <>
      <TextInput
        type="date"
        aria-label={messages.from}
        value={days.from}
        max={days.to}
        onChange={(event) => change({ from: event.currentTarget.value })}
      />
      <TextInput
        type="date"
        aria-label={messages.to}
        value={days.to}
        min={days.from}
        onChange={(event) => change({ to: event.currentTarget.value })}
      />
    </>
  );
}
