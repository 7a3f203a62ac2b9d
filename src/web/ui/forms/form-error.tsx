import { Alert, List } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { ApiFailure } from '../../api/failure';
import { failureWords } from './error-messages';
import { fieldWords } from './field-messages';

/** Marks the fields that the API names; their paths are those of the form's values. */
export function markFields<Values>(form: UseFormReturnType<Values>, error: unknown): void {
  if (!(error instanceof ApiFailure)) return;
  form.setErrors(fieldErrors(error));
}

export function fieldErrors({ fields }: ApiFailure): FormErrors {
  return Object.fromEntries(
    Object.entries(fields).map(([path, problems]) => [path, problems.map(fieldWords).join('; ')]),
  );
}

interface FormFailureProps {
  readonly error: unknown;
  /** The fields that people see here: what is wrong with others is told in words. */
  readonly shown?: readonly string[];
}

/** Why a form was not accepted, announced when it appears. */
export function FormFailure({ error, shown = [] }: FormFailureProps) {
  if (error === null || error === undefined) return null;
  const others = Object.entries(error instanceof ApiFailure ? error.fields : {}).filter(
    ([path]) => !shown.some((field) => path === field || path.startsWith(`${field}.`)),
  );
  return (
    <Alert color="red" role="alert" title={failureWords(error)}>
      {others.length > 0 && (
        <List size="sm">
          {others.map(([path, problems]) => (
            <List.Item key={path}>
              <strong>{path}</strong> {problems.map(fieldWords).join('; ')}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
