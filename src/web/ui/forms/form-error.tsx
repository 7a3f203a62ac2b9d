import { Alert, List } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { RequestError } from '../../api/request-error';
import { errorMessage } from './error-messages';
import { fieldMessage } from './field-messages';

/** Shows API errors beside the form fields of the same path. */
export function setFieldErrors<Values>(form: UseFormReturnType<Values>, error: unknown): void {
  if (!(error instanceof RequestError)) return;
  form.setErrors(fieldErrors(error));
}

export function fieldErrors({ fields }: RequestError): FormErrors {
  return Object.fromEntries(
    Object.entries(fields).map(([path, problems]) => [path, problems.map(fieldMessage).join('; ')]),
  );
}

interface FormErrorProps {
  readonly error: unknown;
  /** Fields that the form shows; errors of other fields are listed here. */
  readonly fields?: readonly string[];
}

/** Error of a form, announced to screen readers. */
export function FormError({ error, fields = [] }: FormErrorProps) {
  if (error === null || error === undefined) return null;
  const others = Object.entries(error instanceof RequestError ? error.fields : {}).filter(
    ([path]) => !fields.some((field) => path === field || path.startsWith(`${field}.`)),
  );
  return (
    <Alert color="red" role="alert" title={errorMessage(error)}>
      {others.length > 0 && (
        <List size="sm">
          {others.map(([path, problems]) => (
            <List.Item key={path}>
              <strong>{path}</strong> {problems.map(fieldMessage).join('; ')}
            </List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
