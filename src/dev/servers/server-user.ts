import { spawnSync } from 'node:child_process';

/** The user for Postgres when this process is root. Postgres refuses to run as root. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'postgres';

/** Undefined unless this process is root. Creates the user if it does not exist. */
export function findServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = findUser();
  if (existing !== undefined) return existing;
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    NAME,
  ]);
  const created = findUser();
  if (created !== undefined) return created;
  throw new Error(`Postgres does not run as root: create a user named ${NAME}, or start as another user`);
}

/** Whether `user` can enter `folder`. Tries it, because access also depends on every parent folder. */
export function canEnter(user: ServerUser, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...user, cwd: '/' }).status === 0;
}

/** Whether `user` can run `program` and read the libraries it needs. */
export function canRun(user: ServerUser, program: string): boolean {
  return spawnSync(program, ['--version'], { ...user, cwd: '/' }).status === 0;
}

function findUser(): ServerUser | undefined {
  const id = (flag: string) => spawnSync('id', [flag, NAME], { encoding: 'utf8' });
  const [uid, gid] = [id('-u'), id('-g')];
  if (uid.status !== 0 || gid.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
