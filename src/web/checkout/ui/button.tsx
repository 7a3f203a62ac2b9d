import type { ReactNode } from 'react';
import classes from './button.module.css';

interface ButtonProps {
  readonly children: ReactNode;
  readonly kind?: 'main' | 'plain' | 'text';
  /** A busy button keeps the focus and ignores clicks. */
  readonly isBusy?: boolean;
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
}

export function Button({ children, kind = 'main', isBusy = false, type = 'button', onClick }: ButtonProps) {
  return (
    <button
      type={type}
      className={classes.button}
      data-kind={kind}
      aria-disabled={isBusy}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {isBusy && <span className={classes.spinner} aria-hidden />}
      {children}
    </button>
  );
}

/** Link to a page of the company. `_top` leaves a frame that embeds the checkout. */
export function ButtonLink({
  href,
  children,
  kind = 'main',
}: Pick<ButtonProps, 'children' | 'kind'> & { readonly href: string }) {
  return (
    <a className={classes.button} data-kind={kind} href={href} target="_top" rel="noreferrer">
      {children}
    </a>
  );
}
