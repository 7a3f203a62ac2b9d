import CircleSlash from 'lucide-react/icons/circle-slash';
import Clock from 'lucide-react/icons/clock-alert';
import SearchX from 'lucide-react/icons/search-x';
import WifiOff from 'lucide-react/icons/wifi-off';
import type { Problem } from '../page-data';
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

const ACTIONS: Partial<Record<Problem, string>> = {
  session_used: messages.startAgain,
  session_expired: messages.startAgain,
  unavailable: messages.retry,
};

interface EndedProps {
  readonly problem: Problem;
  readonly startOver: () => void;
}

export function Ended({ problem, startOver }: EndedProps) {
  const Icon = ICONS[problem];
  const [title, text] = messages.endings[problem];
  const action = ACTIONS[problem];
  return (
    <div className={classes.ended} role="alert">
      <span className={classes.icon} aria-hidden>
        <Icon size={28} />
      </span>
      <h1>{title}</h1>
      <p>{text}</p>
      {action !== undefined && <Button onClick={startOver}>{action}</Button>}
    </div>
  );
}
