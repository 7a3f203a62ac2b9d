import { spawnSync } from 'node:child_process';

/** The user Postgres runs as when we are root, which it refuses to be. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

const NAME = 'postgres';

/** Undefined unless we are root: Postgres then runs as whoever we are. Makes the user where the system has none. */
export function findServerUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = queryCharge();
  if (known !== undefined) return known;
  spawnSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    NAME,
  ]);
  const made = queryCharge();
  if (made !== undefined) return made;
  throw new Error(`Postgres does not run as root: make a user named ${NAME}, or start as another user`);
}

/** Whether `user` can enter `folder`; asked of the system, which knows about every folder above it. */
export function canEnter(user: ServerUser, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...user, cwd: '/' }).status === 0;
}

/** Whether `user` can run `program` and read the libraries it needs. */
export function canRun(user: ServerUser, program: string): boolean {
  return spawnSync(program, ['--version'], { ...user, cwd: '/' }).status === 0;
}

function queryCharge(): ServerUser | undefined {
  const id = (flag: string) => spawnSync('id', [flag, NAME], { encoding: 'utf8' });
  const [uid, gid] = [id('-u'), id('-g')];
  if (uid.status !== 0 || gid.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}
