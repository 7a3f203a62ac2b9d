import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The file that `PROMTOOL` names; undefined if it names none. */
export const namedPromtool = process.env.PROMTOOL;

/** The program that checks Prometheus' rules: the named one, else that in the PATH (of Debian's package `prometheus`). Null without one. */
export function findPromtool(): string | null {
  if (namedPromtool !== undefined) return namedPromtool;
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'promtool'));
  return files.find((file) => existsSync(file)) ?? null;
}
