import { messages } from '../messages';
import { offer } from '../page-data';
import classes from './test-ribbon.module.css';

/** Tells buyers and developers that nothing is paid here. */
export function TestRibbon() {
  if (offer?.mode !== 'test') return null;
  return <aside className={classes.ribbon}>{messages.testMode}</aside>;
}
