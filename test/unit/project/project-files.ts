import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';

/**
 * The files of the project by their paths from its root: tracked ones, and new ones that git does not ignore. In a pattern `**` stands
 * for any number of folders, also none.
 */
export function projectFiles(...patterns: readonly string[]): string[] {
  const globs = patterns.map((pattern) => `:(glob)${pattern}`);
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '--', ...globs];
  const listed = execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
  const deleted = new Set(
    execFileSync('git', ['ls-files', '--deleted'], { cwd: projectRoot, encoding: 'utf8' }).split('\n'),
  );
  return listed.filter((file) => !deleted.has(file));
}

export function readProjectFile(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8');
}

export function isGenerated(file: string): boolean {
  return file.startsWith('src/http/generated/');
}
