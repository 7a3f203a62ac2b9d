import { join } from 'node:path';
import { childEnvironment } from '../config';
import { projectRoot } from '../paths';
import type { ProcessSpec } from './supervised-process';

export interface NodeProcessOptions {
  readonly name: string;
  /** Under the project's root, without its extension: `src/api`. */
  readonly entry: string;
  /** Run the TypeScript as it stands, or what the build made of it in `dist`. */
  readonly from: 'source' | 'build';
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly ready: () => Promise<boolean>;
}

/**
 * As in package.json's `start:*` and the Dockerfile. By default V8 sizes its heap by the machine's memory and collects
 * late; the API and the worker hold about 40 MB of live objects each, and with these limits stay near 150 and 250 MB.
 */
const PRODUCTION_FLAGS = ['--enable-source-maps', '--max-semi-space-size=4', '--max-old-space-size=192'];

/** The simulator keeps its whole ledger in memory, and that grows with all that is played: no limit suits it. */
const SIMULATOR = 'src/simulator/main';

/** One of our own programs as a part: it ends when its parent is gone. */
export function nodeProcess({
  name,
  entry,
  from,
  settings,
  logFile,
  ready,
}: NodeProcessOptions): ProcessSpec {
  const file = (path: string) =>
    from === 'source' ? join(projectRoot, `${path}.ts`) : join(projectRoot, 'dist', `${path}.js`);
  const built = entry === SIMULATOR ? ['--enable-source-maps'] : PRODUCTION_FLAGS;
  const transform = from === 'source' ? ['--import', require.resolve('tsx')] : built;
  return {
    name,
    command: process.execPath,
    args: [...transform, '--require', file('src/dev/exit-with-parent'), file(entry)],
    env: childEnvironment(settings),
    endsWithParent: true,
    cwd: projectRoot,
    logFile,
    stopSignal: 'SIGTERM',
    ready,
  };
}
