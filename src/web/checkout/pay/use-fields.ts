import { useState } from 'react';

/** Validation rule of a field. */
export interface FieldRule {
  /** Message for an invalid value, or null. */
  readonly validate: (value: string) => string | null;
  /** True when the value is fully typed, so that its error is shown before the field loses focus. */
  readonly isComplete?: (value: string) => boolean;
}

type Values<Name extends string> = Readonly<Record<Name, string>>;

export interface BoundField {
  readonly name: string;
  readonly value: string;
  readonly error: string | null;
  readonly onValueChange: (value: string) => void;
  readonly onBlur: () => void;
}

export interface Fields<Name extends string> {
  readonly values: Values<Name>;
  readonly bind: (name: Name) => BoundField;
  /** Returns true when every field is valid; otherwise shows all errors and focuses the first invalid field. */
  readonly validate: (form: HTMLFormElement) => boolean;
  /** Shows the errors that the API returned. */
  readonly setErrors: (errors: Partial<Values<Name>>, form: HTMLFormElement) => void;
}

/**
 * Form state with validation. An error appears when the field is complete or loses focus, and disappears as soon as
 * the value is valid.
 */
export function useFields<Name extends string>(
  initial: Values<Name>,
  rulesFor: (values: Values<Name>) => Readonly<Record<Name, FieldRule>>,
): Fields<Name> {
  const [values, setValues] = useState(initial);
  const [blurred, setBlurred] = useState<ReadonlySet<Name>>(new Set());
  const [isSubmitted, setSubmitted] = useState(false);
  const [apiErrors, setApiErrors] = useState<Partial<Values<Name>>>({});
  const rules = rulesFor(values);
  const names = Object.keys(initial) as Name[];

  const visibleError = (name: Name): string | null => {
    const value = values[name];
    const error = rules[name].validate(value);
    if (error === null) return apiErrors[name] ?? null;
    const isTyped = value !== '' && (blurred.has(name) || rules[name].isComplete?.(value) === true);
    return isSubmitted || isTyped ? error : null;
  };

  return {
    values,
    bind: (name) => ({
      name,
      value: values[name],
      error: visibleError(name),
      onValueChange: (value) => {
        setValues((previous) => ({ ...previous, [name]: value }));
        setApiErrors((previous) => ({ ...previous, [name]: undefined }));
      },
      onBlur: () => setBlurred((previous) => new Set(previous).add(name)),
    }),
    validate: (form) => {
      setSubmitted(true);
      return !focusFirst(form, names, (name) => rules[name].validate(values[name]) !== null);
    },
    setErrors: (errors, form) => {
      setApiErrors(errors);
      focusFirst(form, names, (name) => errors[name] !== undefined);
    },
  };
}

function focusFirst<Name extends string>(
  form: HTMLFormElement,
  names: readonly Name[],
  isInvalid: (name: Name) => boolean,
): boolean {
  const first = names.find(isInvalid);
  if (first === undefined) return false;
  const field = form.elements.namedItem(first);
  if (field instanceof HTMLElement) field.focus();
  return true;
}
