import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useEffect, useRef } from 'react';
import type { Words } from '../pay/decline-messages';
import classes from './notice.module.css';

interface NoticeProps extends Words {
  readonly more?: readonly string[];
  /** Whether it tells of what just happened. */
  readonly takesFocus: boolean;
}

/** What went wrong, and what can be done. */
export function Notice({ title, text, more = [], takesFocus }: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) box.current?.focus();
  }, [takesFocus]);
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
