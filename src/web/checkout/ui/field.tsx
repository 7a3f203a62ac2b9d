import CircleAlert from 'lucide-react/icons/circle-alert';
import { useId, useLayoutEffect, useRef, type ChangeEvent, type ComponentProps, type ReactNode } from 'react';
import classes from './field.module.css';
import type { BoundField } from '../pay/use-fields';

type Native = Pick<
  ComponentProps<'input'>,
  'type' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'placeholder' | 'maxLength' | 'enterKeyHint'
>;

interface FieldProps extends Native, BoundField {
  readonly label: string;
  readonly hint?: string;
  /** How it is written, whatever is typed; for digits alone. */
  readonly format?: (typed: string) => string;
  /** At the end of the field, for the eye. */
  readonly mark?: ReactNode;
  readonly isOptional?: boolean;
}

/** A labeled field with what is wrong with it beside it. */
export function Field(props: FieldProps) {
  const { label, hint, format, mark, isOptional = false, value, error, onValue, onLeave, ...native } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);

  useLayoutEffect(() => {
    const at = caret.current;
    caret.current = null;
    if (at !== null) input.current?.setSelectionRange(at, at);
  }, [value]);

  const change = ({
    currentTarget: { value: typed, selectionStart },
  }: ChangeEvent<HTMLInputElement>): void => {
    if (format === undefined) return onValue(typed);
    const written = format(typed);
    const isAtEnd = selectionStart === null || selectionStart === typed.length;
    caret.current = isAtEnd ? null : placeAfter(written, countDigits(typed.slice(0, selectionStart)));
    onValue(written);
  };

  const described = [error !== null && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <div className={classes.box}>
        <input
          {...native}
          id={id}
          ref={input}
          value={value}
          onChange={change}
          onBlur={onLeave}
          required={!isOptional}
          aria-invalid={error !== null}
          aria-describedby={described.join(' ') || undefined}
          spellCheck={false}
        />
        {mark !== undefined && <span className={classes.mark}>{mark}</span>}
      </div>
      {hint !== undefined && error === null && (
        <p id={`${id}-hint`} className={classes.hint}>
          {hint}
        </p>
      )}
      <div aria-live="polite">
        {error !== null && (
          <p id={`${id}-error`} className={classes.error}>
            <CircleAlert size={14} strokeWidth={2.25} aria-hidden />
            {error}
          </p>
        )}
      </div>
    </div>
  );
}

const countDigits = (text: string): number => text.replace(/\D/g, '').length;

/** The place after so many digits. */
function placeAfter(text: string, digits: number): number {
  let seen = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (seen === digits) return at;
    if (/\d/.test(text[at] ?? '')) seen += 1;
  }
  return text.length;
}
