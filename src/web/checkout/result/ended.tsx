import CircleSlash from 'lucide-react/icons/circle-slash';
import Clock from 'lucide-react/icons/clock-alert';
import SearchX from 'lucide-react/icons/search-x';
import WifiOff from 'lucide-react/icons/wifi-off';
import type { Problem } from '../pay/billing-address';
import { Button } from '../ui/button';
import classes from './ended.module.css';
import { messages } from '../messages';

const ICONS = {
  not_found: SearchX,
  link_expired: Clock,
  link_exhausted: CircleSlash,
  link_deleted: CircleSlash,
  session_used: CircleSlash,
  session_expired: Clock,
  unavailable: WifiOff,
} satisfies Record<Problem, unknown>;

/** What the buyer can do about it, where there is something. */
const WAYS_ON: Partial<Record<Problem, string>> = {
  session_used: messages.startAnew,
  session_expired: messages.startAnew,
  unavailable: messages.retry,
};

interface EndedProps {
  readonly problem: Problem;
  readonly again: () => void;
}

/** Nothing can be bought, and why. */
export function Ended({ problem, again }: EndedProps) {
  const Icon = ICONS[problem];
  const [title, about] = messages.endings[problem];
  const wayOn = WAYS_ON[problem];
  return (
    <div className={classes.ended} role="alert">
      <span className={classes.icon} aria-hidden>
        <Icon size={28} />
      </span>
      <h1>{title}</h1>
      <p>{about}</p>
      {wayOn !== undefined && <Button onClick={again}>{wayOn}</Button>}
    </div>
  );
}
