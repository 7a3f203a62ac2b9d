import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect, useRef } from 'react';
import type { NoticeText } from '../pay/decline-messages';
import classes from './notice.module.css';

interface NoticeProps extends NoticeText {
  readonly more?: readonly string[];
  /** True when the notice reports something that has just happened. */
  readonly shouldFocus: boolean;
}

export function Notice({ title, text, more = [], shouldFocus }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shouldFocus) box.current?.focus();
  }, [shouldFocus]);
  return (
    <div ref={box} role="alert" tabIndex={-1} className={classes.notice}>
      <TriangleAlert size={20} aria-hidden />
      <div>
        <strong>{title}</strong>
        <p>{[text, ...more].join(' ')}</p>
      </div>
    </div>
  );
}
