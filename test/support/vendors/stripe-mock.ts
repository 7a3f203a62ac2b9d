import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../src/dev/ports';
import { projectRoot } from '../../../src/paths';

const PROGRAM = 'stripe-mock';
const named = process.env.STRIPE_MOCK;

/**
 * Stripe's own mock of its API (https://github.com/stripe/stripe-mock): the file that `STRIPE_MOCK` names, in `.data/bin`, or in the
 * PATH. Null without one.
 */
function programFile(): string | null {
  const folders = [join(projectRoot, '.data', 'bin'), ...(process.env.PATH ?? '').split(delimiter)];
  const files = named === undefined ? folders.map((folder) => join(folder, PROGRAM)) : [named];
  return files.find((file) => existsSync(file)) ?? null;
}

/** Defines tests that need stripe-mock. Without it they are left out, and the end of the run says so; but a named one must exist. */
export function describeWithStripeMock(title: string, define: (url: () => string) => void): void {
  const file = programFile();
  describe(title, () => {
    if (file === null) {
      it(`is left out, because the program ${PROGRAM} is missing`, () => expect(named).toBeUndefined());
      return;
    }
    let mock: { readonly url: string; stop(): Promise<void> };
    beforeAll(async () => {
      mock = await start(file);
    });
    afterAll(() => mock.stop());
    define(() => mock.url);
  });
}

async function start(file: string) {
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(file, ['-http-addr', address], { stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (): boolean => child.kill('SIGKILL');
  process.once('exit', end);
  const gone = once(child, 'exit');
  let output = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('Listening for HTTP')) resolve();
      });
    }
  });
  const failed = gone.then(() => {
    throw new Error(`${PROGRAM} ended: ${output}`);
  });
  await Promise.race([ready, failed]);
  failed.catch(() => undefined);
  return {
    url: `http://${address}`,
    async stop() {
      process.off('exit', end);
      end();
      await gone;
    },
  };
}
