/** Neutral identifiers of the payment processors. */
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

/** The gateways that take a company's own credentials. */
export const CREDENTIAL_GATEWAY_SLUGS = GATEWAY_SLUGS.slice(0, 5);

/** The gateways that support authorization without capture. */
const AUTHORIZE_ONLY_SLUGS: ReadonlySet<GatewaySlug> = new Set([
  'gateway_1',
  'gateway_4',
  'gateway_5',
  'gateway_7',
]);

export function supportsAuthorizeOnly(slug: GatewaySlug): boolean {
  return AUTHORIZE_ONLY_SLUGS.has(slug);
}

export function isGatewaySlug(text: string): text is GatewaySlug {
  return (GATEWAY_SLUGS as readonly string[]).includes(text);
}
