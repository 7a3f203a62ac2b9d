import { Resolver } from 'node:dns/promises';

/** All addresses of a host. Rejects when it has none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

const TIMEOUT_MS = 1_500;
const TRIES = 2;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Asks the DNS itself: the system's resolver works in a few threads that slow names of one company would hold for all.
 * `servers` as `127.0.0.1:5353`; the system's unless given.
 */
export function dnsResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    // RFC 6761: these names are not the DNS's to answer.
    if (/(^|\.)localhost\.?$/i.test(hostname)) return LOOPBACK;
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new Error('the name has no address');
    return addresses;
  };
}
