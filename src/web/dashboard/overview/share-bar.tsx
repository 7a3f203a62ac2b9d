import classes from './figures.module.css';

interface ShareBarProps {
  /** Of 1. */
  readonly share: number;
  readonly bad?: boolean;
}

/** A share as a length, beside the number that says it. */
export function ShareBar({ share, bad = false }: ShareBarProps) {
  return (
    <div className={[classes.bar, bad ? classes.reason : ''].join(' ')} aria-hidden>
      <span style={{ width: `${share * 100}%` }} />
    </div>
  );
}
