import type { GatewayContext } from './gateway';

/** The URL of an endpoint of the call's driver, without a trailing slash. */
export function endpointUrl({ endpoints }: Pick<GatewayContext, 'endpoints'>, name: string): string {
  const url = endpoints[name];
  if (url === undefined) throw new Error(`the driver has no endpoint ${name}`);
  return url;
}
