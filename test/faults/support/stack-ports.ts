import { isPortInUse } from '../../../src/dev/ports';
import { PROXIED_PROGRAMS, type FaultStackSpec, type PerServer, type ProxiedProgram } from './stack-messages';
import { TcpProxy } from './tcp-proxy';

/** The proxies between each program and each server; empty for a stack without proxies. */
export type Proxies = ReadonlyMap<ProxiedProgram, PerServer<TcpProxy>>;

export async function startProxies(servers: PerServer<number>): Promise<Proxies> {
  const proxies = new Map<ProxiedProgram, PerServer<TcpProxy>>();
  for (const program of PROXIED_PROGRAMS) {
    const postgres = await TcpProxy.start(await choosePort(), servers.postgres);
    const temporal = await TcpProxy.start(await choosePort(), servers.temporal);
    proxies.set(program, { postgres, temporal });
  }
  return proxies;
}

export function portsOf({ postgres, temporal }: PerServer<TcpProxy>): PerServer<number> {
  return { postgres: postgres.port, temporal: temporal.port };
}

export async function choosePorts(): Promise<FaultStackSpec['ports']> {
  const taken = new Set<number>();
  while (taken.size < 4) taken.add(await choosePort(taken));
  const [postgres = 0, temporal = 0, simulator = 0, api = 0] = taken;
  return { postgres, temporal, simulator, api };
}

/**
 * Below the range from which systems take the local ports of outgoing connections: a client that keeps trying the port
 * of a stopped process could otherwise connect to itself and keep the process from starting again.
 */
async function choosePort(taken: ReadonlySet<number> = new Set()): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    if (!taken.has(port) && !(await isPortInUse(port))) return port;
  }
}
