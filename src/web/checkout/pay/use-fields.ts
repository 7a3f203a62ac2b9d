import { useState } from 'react';

/** What a field must be. */
export interface Rule {
  /** What is wrong with it, in words; null when nothing is. */
  readonly problem: (value: string) => string | null;
  /** Whether it is typed to its end, so that what is wrong with it can be told at once. */
  readonly isComplete?: (value: string) => boolean;
}

type Values<Name extends string> = Readonly<Record<Name, string>>;

export interface BoundField {
  readonly name: string;
  readonly value: string;
  readonly error: string | null;
  readonly onValue: (value: string) => void;
  readonly onLeave: () => void;
}

export interface Fields<Name extends string> {
  readonly values: Values<Name>;
  readonly bind: (name: Name) => BoundField;
  /** Whether all is well; else every problem is shown from now on, and the first has the focus. */
  readonly check: (form: HTMLFormElement) => boolean;
  /** What the API says of fields. */
  readonly refuse: (problems: Partial<Values<Name>>, form: HTMLFormElement) => void;
}

/** The fields of a form, and what is wrong with each: told once it is typed or left, and taken back as soon as it is right. */
export function useFields<Name extends string>(
  initial: Values<Name>,
  rulesFor: (values: Values<Name>) => Readonly<Record<Name, Rule>>,
): Fields<Name> {
  const [values, setValues] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<Name>>(new Set());
  const [isChecked, setChecked] = useState(false);
  const [refused, setRefused] = useState<Partial<Values<Name>>>({});
  const rules = rulesFor(values);
  const names = Object.keys(initial) as Name[];

  const shownProblem = (name: Name): string | null => {
    const value = values[name];
    const found = rules[name].problem(value);
    if (found === null) return refused[name] ?? null;
    const isTyped = value !== '' && (left.has(name) || rules[name].isComplete?.(value) === true);
    return isChecked || isTyped ? found : null;
  };

  return {
    values,
    bind: (name) => ({
      name,
      value: values[name],
      error: shownProblem(name),
      onValue: (value) => {
        setValues((before) => ({ ...before, [name]: value }));
        setRefused((before) => ({ ...before, [name]: undefined }));
      },
      onLeave: () => setLeft((before) => new Set(before).add(name)),
    }),
    check: (form) => {
      setChecked(true);
      return !focusFirst(form, names, (name) => rules[name].problem(values[name]) !== null);
    },
    refuse: (problems, form) => {
      setRefused(problems);
      focusFirst(form, names, (name) => problems[name] !== undefined);
    },
  };
}

function focusFirst<Name extends string>(
  form: HTMLFormElement,
  names: readonly Name[],
  isWrong: (name: Name) => boolean,
): boolean {
  const first = names.find(isWrong);
  if (first === undefined) return false;
  const field = form.elements.namedItem(first);
  if (field instanceof HTMLElement) field.focus();
  return true;
}
