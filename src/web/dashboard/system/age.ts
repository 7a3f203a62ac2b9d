import { count } from '../../ui/formats';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in its largest unit, rounded down: `4 s`, `12 min`, `3 h`, `2 d`. The units are the same in both languages. */
export function ageText(seconds: number): string {
  if (seconds < MINUTE) return `${count(Math.floor(seconds))} s`;
  if (seconds < HOUR) return `${count(Math.floor(seconds / MINUTE))} min`;
  if (seconds < DAY) return `${count(Math.floor(seconds / HOUR))} h`;
  return `${count(Math.floor(seconds / DAY))} d`;
}
