import type { ReactNode } from 'react';
import classes from './badge.module.css';

/** What a state means for whoever looks at it. */
export type Tone = 'good' | 'waiting' | 'bad' | 'neutral' | 'info' | 'attention';

/** A state in a word; the color only says it again. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={classes.badge} data-tone={tone}>
      {children}
    </span>
  );
}
