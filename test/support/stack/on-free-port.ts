import { freePort } from '../../../src/dev/ports';

const TRIES = 3;

/**
 * Starts a server on a free port. Another program may take this port, or one that the server chooses itself, before the
 * server listens there; then it is started on another port.
 */
export async function onFreePort<T>(start: (port: number) => Promise<T>, tries = TRIES): Promise<T> {
  const port = await freePort();
  if (tries === 1) return start(port);
  return start(port).catch(() => onFreePort(start, tries - 1));
}
