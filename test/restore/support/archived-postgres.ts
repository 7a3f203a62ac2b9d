import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { preparePostgres, type Postgres } from '../../../src/dev/servers/postgres';
import type { ProcessSpec } from '../../../src/dev/supervised-process';
import { waitFor } from '../../support/stack/wait-for';

interface ArchivedPostgresOptions {
  /** Empty, and for this server alone: its data, its archive and its base backup. */
  readonly folder: string;
  readonly port: number;
  readonly logFile: string;
}

/** What a server writes anew when it starts, and what belongs to the running one (pg_basebackup leaves out the same). */
const NOT_COPIED = new Set(['postmaster.pid', 'postmaster.opts']);
const COPIED_EMPTY = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
const ARCHIVED_WITHIN_MS = 60_000;
const RECOVERED_WITHIN_MS = 120_000;

/** A Postgres with an archive of its WAL and a base backup, so that it can be restored to any moment since the backup ended. */
export class ArchivedPostgres {
  private constructor(
    private readonly options: ArchivedPostgresOptions,
    private readonly postgres: Postgres,
  ) {}

  static async prepare(options: ArchivedPostgresOptions): Promise<ArchivedPostgres> {
    const archive = join(options.folder, 'archive');
    const settings = {
      archive_mode: 'on',
      // As Postgres' manual has it: a file is in the archive under its name only once it is complete.
      archive_command: `test ! -f "${archive}/%f" && cp "%p" "${archive}/%f.part" && mv "${archive}/%f.part" "${archive}/%f"`,
    };
    const { port, logFile, folder } = options;
    const postgres = await preparePostgres({ dataDir: folder, port, logFile, durable: true, settings });
    const prepared = new ArchivedPostgres(options, postgres);
    prepared.makeFolder(archive);
    return prepared;
  }

  get url(): string {
    return this.postgres.url;
  }

  get process(): ProcessSpec {
    return this.postgres.process;
  }

  createDatabase(): Promise<void> {
    return this.postgres.createDatabase();
  }

  /** Copies the data while the server works ("low-level API" in Postgres' manual). */
  async takeBaseBackup(): Promise<void> {
    await this.withClient(async (client) => {
      await client.query("SELECT pg_backup_start('rehearsal', true)");
      this.copyCluster(this.postgres.cluster, this.backup);
      const { rows } = await client.query<{ labelfile: string }>(
        'SELECT labelfile FROM pg_backup_stop(true)',
      );
      this.writeOwned(join(this.backup, 'backup_label'), rows[0]?.labelfile ?? '');
    });
  }

  /** Returns when all that was written until now is in the archive. */
  async archiveAll(): Promise<void> {
    await this.withClient(async (client) => {
      const { rows } = await client.query<{ segment: string }>(
        'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
      );
      const segment = rows[0]?.segment ?? '';
      await waitFor(() => readdirSync(this.archive).includes(segment), {
        what: `${segment} to be archived`,
        withinMs: ARCHIVED_WITHIN_MS,
      });
    });
  }

  /** Replaces the data by the base backup. The stopped server recovers it to the moment when it is started. */
  restoreTo(moment: Date): void {
    const { cluster } = this.postgres;
    rmSync(cluster, { recursive: true });
    this.copyCluster(this.backup, cluster);
    const settings = {
      restore_command: `cp "${this.archive}/%f" "%p"`,
      // The parameter takes no "Z" and no "T".
      recovery_target_time: moment.toISOString().replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    appendFileSync(join(cluster, 'postgresql.auto.conf'), lines.join(''));
    this.writeOwned(join(cluster, 'recovery.signal'), '');
  }

  async recovered(): Promise<void> {
    const isRecovered = () =>
      this.withClient(async (client) => {
        const { rows } = await client.query<{ done: boolean }>('SELECT NOT pg_is_in_recovery() AS done');
        return rows[0]?.done === true;
      });
    await waitFor(isRecovered, { what: 'the recovery to end', withinMs: RECOVERED_WITHIN_MS, everyMs: 200 });
  }

  private get archive(): string {
    return join(this.options.folder, 'archive');
  }

  private get backup(): string {
    return join(this.options.folder, 'backup');
  }

  private copyCluster(from: string, to: string): void {
    rmSync(to, { recursive: true, force: true });
    this.makeFolder(to);
    for (const name of readdirSync(from).filter((entry) => !NOT_COPIED.has(entry))) {
      if (COPIED_EMPTY.has(name)) this.makeFolder(join(to, name));
      else execFileSync('cp', ['-a', join(from, name), to]);
    }
  }

  private makeFolder(folder: string): void {
    mkdirSync(folder, { mode: 0o700 });
    this.giveToServer(folder);
  }

  private writeOwned(file: string, text: string): void {
    writeFileSync(file, text, { mode: 0o600 });
    this.giveToServer(file);
  }

  /** Run by root, Postgres runs as another user. */
  private giveToServer(path: string): void {
    const { user } = this.postgres.process;
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }

  private async withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const url = new URL(this.url);
    url.pathname = '/postgres';
    const client = new Client({ connectionString: url.href });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
}
