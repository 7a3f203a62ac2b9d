import type { FormErrors } from '@mantine/form';

/** Errors of a list and of its items, which have no fields of their own. */
export function listError(errors: FormErrors, name: string): string | undefined {
  const problems = Object.entries(errors)
    .filter(([path]) => path === name || path.startsWith(`${name}.`))
    .map(([, problem]) => (typeof problem === 'string' ? problem : ''));
  return problems.length === 0 ? undefined : [...new Set(problems)].join('; ');
}
