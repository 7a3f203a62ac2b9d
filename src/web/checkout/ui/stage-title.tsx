import { useEffect, useRef, type ReactNode } from 'react';
import classes from '../checkout.module.css';

interface StageTitleProps {
  readonly children: ReactNode;
  /** True when the page has no other heading above it. */
  readonly isPageHeading?: boolean;
  /** True when the stage has just changed: the focus makes screen readers read the title. */
  readonly shouldFocus: boolean;
}

export function StageTitle({ children, isPageHeading = false, shouldFocus }: StageTitleProps) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (shouldFocus) title.current?.focus();
  }, [shouldFocus]);
  const Heading = isPageHeading ? 'h1' : 'h2';
  return (
    <Heading ref={title} tabIndex={-1} className={classes.title}>
      {children}
    </Heading>
  );
}
