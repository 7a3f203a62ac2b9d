import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';
import { liveVendor } from './live-vendors';

/** What says nothing about the vendor, is too much at once for its rate limit, or needs a slow vendor. */
const NAMES = [
  'an answer that is not the gateway’s own',
  'the gateway’s own errors',
  'is ambiguous while its first request is in progress',
];
const LEFT_OUT = `^(?!.*(?:${NAMES.join('|')})).*$`;

/** `npm run test:vendor -- pagarme` */
const [name] = process.argv.slice(2);
const vendor = liveVendor(name, process.env);
if ('problems' in vendor) {
  process.stderr.write(`${vendor.problems.join('\n')}\n`);
  process.exitCode = 2;
} else {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  const folder = join(projectRoot, '.data', 'vendor-recordings', vendor.name, time);
  const config = join(projectRoot, 'test', 'gateways', 'live', 'jest.config.cjs');
  const { status } = spawnSync(
    process.execPath,
    [require.resolve('jest/bin/jest'), '--config', config, '--testNamePattern', LEFT_OUT],
    {
      cwd: projectRoot,
      stdio: 'inherit',
      env: { ...process.env, LIVE_VENDOR: vendor.name, LIVE_RECORDINGS: folder },
    },
  );
  process.exitCode = status ?? 1;
}
