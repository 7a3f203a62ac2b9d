import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';

export interface Release {
  readonly version: string;
  /** All 40 digits. */
  readonly commit: string;
}

/** The releases that a changelog names, in its order. */
export function readReleases(changelog: string): Release[] {
  return [...changelog.matchAll(/^## (\d+\.\d+\.\d+)\n+Commit: `([0-9a-f]{40})`$/gm)].map(
    ([, version = '', commit = '']) => ({ version, commit }),
  );
}

/** Checks a release out into `folder` and builds it there, with the dependencies of its own lock file. */
export function buildRelease({ commit }: Release, folder: string): void {
  run('git', ['clone', '--quiet', '--shared', '--no-checkout', projectRoot, folder], projectRoot);
  run('git', ['checkout', '--quiet', commit], folder);
  const lock = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(projectRoot)) {
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  } else {
    run('npm', ['ci', '--no-audit', '--no-fund'], folder);
  }
  run('npm', ['run', '--silent', 'build'], folder);
}

function run(program: string, args: readonly string[], cwd: string): void {
  execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}
