import { execFileSync } from 'node:child_process';
import { projectRoot } from '../../../src/paths';

/** What is checked out, for whoever makes a run again. */
export function describeCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, {
      cwd: projectRoot,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' with changes');
  } catch {
    return 'unknown';
  }
}
