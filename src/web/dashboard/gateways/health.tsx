import { Badge } from '../../ui/badge';
import { count } from '../../ui/formats';
import { useDates } from '../shared/use-dates';
import classes from './gateways.module.css';
import { messages } from './messages';
import type { Gateway } from './queries';

/** From this share of charges without a clear answer, a gateway is called failing and not only shaky. */
const FAILING_SHARE = 0.5;

/** Health by the results of the last hour: an approval or a decline is an answer, an error or an unknown outcome is not. */
export function HealthBadge({ gateway: { active, health } }: { readonly gateway: Gateway }) {
  const dates = useDates();
  const { circuit, open_until: until, last_hour: lastHour } = health;
  const unanswered = lastHour.errors + lastHour.unknown;
  if (!active) return <Badge tone="neutral">{messages.inactive}</Badge>;
  if (circuit === 'open') {
    return <Badge tone="bad">{messages.circuitOpen(until === null ? '' : dates.second(until))}</Badge>;
  }
  if (lastHour.charges === 0) return <Badge tone="neutral">{messages.idle}</Badge>;
  if (unanswered > 0) {
    const tone = unanswered / lastHour.charges >= FAILING_SHARE ? 'bad' : 'waiting';
    return <Badge tone={tone}>{messages.unanswered(count(unanswered), count(lastHour.charges))}</Badge>;
  }
  return <Badge tone="good">{messages.healthy}</Badge>;
}

export function LastHour({ figures }: { readonly figures: Gateway['health']['last_hour'] }) {
  const { charges, approved, declined, errors, unknown, p50_ms: medianMs } = figures;
  const shown = [
    [messages.charges, count(charges)],
    [messages.approved, count(approved)],
    [messages.declined, count(declined)],
    [messages.errors, count(errors)],
    [messages.unknown, count(unknown)],
    [messages.median, medianMs === null ? '–' : messages.milliseconds(count(medianMs))],
  ] as const;
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{messages.lastHour}</dt>
      </div>
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
