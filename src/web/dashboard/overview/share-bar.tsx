import classes from './figures.module.css';

interface ShareBarProps {
  /** From 0 to 1. */
  readonly share: number;
  readonly bad?: boolean;
}

/** A bar beside the number that it illustrates. */
export function ShareBar({ share, bad = false }: ShareBarProps) {
  return (
    <div className={[classes.bar, bad ? classes.reason : ''].join(' ')} aria-hidden>
      <span style={{ width: `${share * 100}%` }} />
    </div>
  );
}
