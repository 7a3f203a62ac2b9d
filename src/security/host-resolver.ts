import { Resolver } from 'node:dns/promises';

/** Resolves a host to all its addresses. Rejects if there are none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

const TIMEOUT_MS = 1_500;
const MAX_ATTEMPTS = 2;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Queries DNS directly: the system resolver uses a small thread pool, which one company's slow names could block for all.
 * `servers` have the form `127.0.0.1:5353`; the default is the system's.
 */
export function dnsResolver(servers?: readonly string[]): ResolveHost {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: MAX_ATTEMPTS });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    // RFC 6761: localhost names resolve to loopback without DNS.
    if (/(^|\.)localhost\.?$/i.test(hostname)) return LOOPBACK;
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0) throw new Error('the host has no address');
    return addresses;
  };
}
