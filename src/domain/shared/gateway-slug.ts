/** Neutral tokens for the external processors (specification, section 2). */
export const GATEWAY_SLUGS = [
  'gateway_1',
  'gateway_2',
  'gateway_3',
  'gateway_4',
  'gateway_5',
  'gateway_6',
  'gateway_7',
] as const;
export type GatewaySlug = (typeof GATEWAY_SLUGS)[number];

/** The gateways a company may hold credentials for (specification, section 4.3). */
export const CREDENTIAL_GATEWAY_SLUGS = GATEWAY_SLUGS.slice(0, 5);

/** Only these may carry an authorization without capture (specification, section 3). */
const AUTHORIZE_ONLY_SLUGS: ReadonlySet<GatewaySlug> = new Set([
  'gateway_1',
  'gateway_4',
  'gateway_5',
  'gateway_7',
]);

export function mayAuthorizeOnly(slug: GatewaySlug): boolean {
  return AUTHORIZE_ONLY_SLUGS.has(slug);
}

export function isGatewaySlug(text: string): text is GatewaySlug {
  return (GATEWAY_SLUGS as readonly string[]).includes(text);
}
