import type { ReactNode } from 'react';
import classes from './badge.module.css';

/** Meaning of a status, which sets the color. */
export type Tone = 'good' | 'waiting' | 'bad' | 'neutral' | 'info' | 'attention';

/** The text carries the meaning; the color only repeats it. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
