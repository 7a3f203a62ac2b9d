import { useEffect, useRef, type ReactNode } from 'react';
import classes from '../checkout.module.css';

interface StageTitleProps {
  readonly children: ReactNode;
  /** Where no other heading is above it. */
  readonly isOfPage?: boolean;
  /** Whether it came by something the buyer did, or by what happened: then it is read out. */
  readonly takesFocus: boolean;
}

export function StageTitle({ children, isOfPage = false, takesFocus }: StageTitleProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);
  const Heading = isOfPage ? 'h1' : 'h2';
  return (
    <Heading ref={title} tabIndex={-1} className={classes.title}>
      {children}
    </Heading>
  );
}
