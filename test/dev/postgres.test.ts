import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SupervisedProcess } from '../../src/dev/supervised-process';
import { freePort } from '../../src/dev/ports';
import { findPostgresDataDir } from '../../src/dev/servers/postgres-data-dir';
import { preparePostgres } from '../../src/dev/servers/postgres';
import { makeDataDir } from './support';

/** Only root can enter the folder above DATA_DIR; Postgres runs as another user, who cannot. */
describe('the embedded Postgres in a private folder', () => {
  const privateFolder = mkdtempSync(join(tmpdir(), 'payment-engine-private-'));
  const dataDir = join(privateFolder, 'data');
  const homeOf = (folder: string) => findPostgresDataDir(folder, () => undefined).home;

  afterAll(() => {
    rmSync(privateFolder, { recursive: true });
    // Any start removes the outside data of deleted folders.
    const another = makeDataDir();
    homeOf(another);
    rmSync(another, { recursive: true });
  });

  it('starts', async () => {
    const port = await freePort();
    const logFile = join(dataDir, 'postgres.log');
    const postgres = await preparePostgres({ dataDir, port, logFile, durable: false });
    const supervised = new SupervisedProcess(postgres.process);
    await supervised.start();
    await postgres.createDatabase();
    await supervised.stop(5_000);
  });

  it('finds its data again', () => {
    expect(existsSync(join(homeOf(dataDir), 'cluster'))).toBe(true);
    expect(homeOf(dataDir)).toBe(homeOf(dataDir));
  });

  it('starts with an empty database after DATA_DIR was deleted, and removes the old data', () => {
    const old = homeOf(dataDir);
    rmSync(dataDir, { recursive: true });
    const fresh = homeOf(dataDir);
    expect(existsSync(join(fresh, 'cluster'))).toBe(false);
    expect(existsSync(join(old, 'cluster'))).toBe(false);
    expect(existsSync(dirname(fresh))).toBe(true);
  });
});
