import { join } from 'node:path';
import { childEnv } from '../config';
import { projectRoot } from '../paths';
import type { ProcessSpec } from './supervised-process';

export interface NodeProcessOptions {
  readonly name: string;
  /** Relative to the project root, without extension: `src/api`. */
  readonly entry: string;
  /** `source` runs the TypeScript file, `build` the compiled file in `dist`. */
  readonly from: 'source' | 'build';
  readonly settings: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly ready: () => Promise<boolean>;
}

/**
 * The same flags as in package.json's `start:*` and the Dockerfile. Without them V8 sizes its heap by the machine's memory.
 * The API and the worker have about 40 MB of live objects each; with these limits they use about 150 and 250 MB.
 */
const PRODUCTION_FLAGS = ['--enable-source-maps', '--max-semi-space-size=16', '--max-old-space-size=192'];

/** The simulator has no heap limit, because its in-memory ledger grows with every payment. */
const SIMULATOR = 'src/simulator/main';

/** The spec of one of the project's Node programs. The process exits when its parent exits. */
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
  const buildFlags = entry === SIMULATOR ? ['--enable-source-maps'] : PRODUCTION_FLAGS;
  const flags = from === 'source' ? ['--import', require.resolve('tsx')] : buildFlags;
  return {
    name,
    command: process.execPath,
    args: [...flags, '--require', file('src/dev/exit-with-parent'), file(entry)],
    env: childEnv(settings),
    exitsWithParent: true,
    cwd: projectRoot,
    logFile,
    stopSignal: 'SIGTERM',
    ready,
  };
}
