import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findTemporalCli } from '../../src/dev/servers/temporal-cli';
import { makeDataDir } from './support';

describe('the Temporal server', () => {
  const dataDir = makeDataDir();
  const folder = (name: string) => join(dataDir, name);
  const fetched = () => {
    throw new Error('nothing is to be fetched');
  };

  function putProgram(folderName: string, mode: number): string {
    mkdirSync(folder(folderName), { recursive: true });
    const program = join(folder(folderName), 'temporal');
    writeFileSync(program, '#!/bin/sh\n', { mode });
    return program;
  }

  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('is the one that an earlier run kept in DATA_DIR', async () => {
    const kept = putProgram('bin', 0o755);
    expect(await findTemporalCli(dataDir, folder('empty'), fetched)).toBe(kept);
  });

  it('is the one on the PATH, if there is one', async () => {
    const installed = putProgram('installed', 0o755);
    const path = [folder('empty'), folder('installed')].join(delimiter);
    expect(await findTemporalCli(dataDir, path, fetched)).toBe(installed);
  });

  it('is never a file that cannot be run', async () => {
    putProgram('data', 0o644);
    mkdirSync(join(folder('folder'), 'temporal'), { recursive: true });
    const path = [folder('data'), folder('folder')].join(delimiter);
    expect(await findTemporalCli(dataDir, path, fetched)).toBe(join(folder('bin'), 'temporal'));
  });
});
