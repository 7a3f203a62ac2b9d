import * as ipaddr from 'ipaddr.js';

/** Public addresses that a cloud provider reserves for services to its own machines. */
const CLOUD_SERVICES: ReadonlySet<string> = new Set([
  // Azure: DNS, DHCP and the guest agent.
  '168.63.129.16',
]);

/** The only IPv6 range that IANA allocates for public unicast. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a customer's URL may resolve to this IP address. Only public addresses may: not private, loopback, link-local
 * (which includes cloud metadata), shared, multicast, reserved or translated ones (NAT64, 6to4, Teredo). An IPv4-mapped
 * IPv6 address is treated as its IPv4 address.
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
