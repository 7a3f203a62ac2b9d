import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findTemporalCli } from '../../src/dev/servers/temporal-cli';
import { makeDataDir } from './support';

describe('the lookup of the Temporal program', () => {
  const dataDir = makeDataDir();
  const folder = (name: string) => join(dataDir, name);
  const onDownload = () => {
    throw new Error('no download is expected');
  };

  function putProgram(folderName: string, mode: number): string {
    mkdirSync(folder(folderName), { recursive: true });
    const program = join(folder(folderName), 'temporal');
    writeFileSync(program, '#!/bin/sh\n', { mode });
    return program;
  }

  afterAll(() => rmSync(dataDir, { recursive: true }));

  it('finds the program that an earlier run stored in DATA_DIR', async () => {
    const stored = putProgram('bin', 0o755);
    expect(await findTemporalCli(dataDir, folder('empty'), onDownload)).toBe(stored);
  });

  it('prefers the program on the PATH', async () => {
    const installed = putProgram('installed', 0o755);
    const path = [folder('empty'), folder('installed')].join(delimiter);
    expect(await findTemporalCli(dataDir, path, onDownload)).toBe(installed);
  });

  it('never returns a file that is not executable', async () => {
    putProgram('data', 0o644);
    mkdirSync(join(folder('folder'), 'temporal'), { recursive: true });
    const path = [folder('data'), folder('folder')].join(delimiter);
    expect(await findTemporalCli(dataDir, path, onDownload)).toBe(join(folder('bin'), 'temporal'));
  });
});
