import * as ipaddr from 'ipaddr.js';

/** Addresses on the internet for everybody, behind which a cloud answers its own machines only. */
const CLOUD_SERVICES: ReadonlySet<string> = new Set([
  // Azure: DNS, DHCP and the guest agent's channel.
  '168.63.129.16',
]);

/** All that IANA gives out to the public; the rest has a purpose of its own, or none. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a customer's URL may lead to this IP address: a public one, reached as itself. Private, loopback, link-local
 * (cloud metadata among it), shared, multicast, reserved and translated ones (NAT64, 6to4, Teredo) are not; an IPv4
 * address in IPv6 clothes counts as what it is.
 */
export function isPublicAddress(address: string, { allowLoopback }: { allowLoopback: boolean }): boolean {
  const parsed = parse(address);
  if (parsed === null) return false;
  const range = parsed.range();
  if (range === 'loopback') return allowLoopback;
  if (range !== 'unicast' || CLOUD_SERVICES.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  try {
    return ipaddr.process(address);
  } catch {
    return null;
  }
}
