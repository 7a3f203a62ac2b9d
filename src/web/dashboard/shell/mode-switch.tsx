import { SegmentedControl } from '@mantine/core';
import { switchMode } from '../mode';
import { useMe } from '../session';
import { messages } from './messages';
import classes from './shell.module.css';

/** Chooses the mode of the data that the dashboard shows; hidden if the deployment has one mode. */
export function ModeSwitch() {
  const { company, modes } = useMe();
  if (modes.length < 2) return null;
  return (
    <SegmentedControl
      size="xs"
      aria-label={messages.mode}
      className={classes.mode}
      value={company.mode}
      onChange={switchMode}
      data={modes.map((mode) => ({ value: mode, label: messages.modes[mode] }))}
    />
  );
}

/** Says on every page that what it shows is test data. */
export function TestDataBanner() {
  const { company } = useMe();
  if (company.mode === 'live') return null;
  return (
    <p role="status" className={classes.testData}>
      {messages.testData}
    </p>
  );
}
