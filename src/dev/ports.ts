import { createServer, connect } from 'node:net';

const HOST = '127.0.0.1';

/** Whether another program listens on or has bound this port of the loopback interface. */
export async function isPortInUse(port: number): Promise<boolean> {
  return (await answers(port)) || (await listenOn(port).then(() => false, isAddressInUse));
}

/** A free port chosen by the system. Another program may take it before it is used. */
export function freePort(): Promise<number> {
  return listenOn(0);
}

/** Rethrows other errors, for example for a privileged port. */
function isAddressInUse(error: unknown): true {
  if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return true;
  throw error;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST, timeout: 1_000 });
    const settle = (inUse: boolean) => () => {
      socket.destroy();
      resolve(inUse);
    };
    socket.once('connect', settle(true)).once('error', settle(false)).once('timeout', settle(true));
  });
}

function listenOn(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, HOST, () => {
      const address = server.address();
      const bound = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(bound));
    });
  });
}
