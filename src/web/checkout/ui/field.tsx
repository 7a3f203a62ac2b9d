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
  /** Formats the typed text; only for fields of letters and digits, between which it may put marks. */
  readonly format?: (typed: string) => string;
  /** Icon at the end of the field, not read out. */
  readonly mark?: ReactNode;
  readonly isOptional?: boolean;
}

/** A labeled text field with its error message. */
export function Field(props: FieldProps) {
  const {
    label,
    hint,
    format,
    mark,
    isOptional = false,
    value,
    error,
    onValueChange,
    onBlur,
    ...native
  } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);

  useLayoutEffect(() => {
    const position = caret.current;
    caret.current = null;
    if (position !== null) input.current?.setSelectionRange(position, position);
  }, [value]);

  const change = ({
    currentTarget: { value: typed, selectionStart },
  }: ChangeEvent<HTMLInputElement>): void => {
    if (format === undefined) return onValueChange(typed);
    const formatted = format(typed);
    const isAtEnd = selectionStart === null || selectionStart === typed.length;
    caret.current = isAtEnd ? null : caretAfter(formatted, countCharacters(typed.slice(0, selectionStart)));
    onValueChange(formatted);
  };

  const describedBy = [error !== null && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean);
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
          onBlur={onBlur}
          required={!isOptional}
          aria-invalid={error !== null}
          aria-describedby={describedBy.join(' ') || undefined}
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

const countCharacters = (text: string): number => text.replace(/[^0-9A-Za-z]/g, '').length;

/** The caret position after this many letters and digits. */
function caretAfter(text: string, characters: number): number {
  let seen = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (seen === characters) return at;
    if (/[0-9A-Za-z]/.test(text[at] ?? '')) seen += 1;
  }
  return text.length;
}
