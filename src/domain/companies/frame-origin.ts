/** Lower case, no wildcard, and no character that could inject another Content-Security-Policy source. */
const ORIGIN = /^(https?):\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::\d{1,5})?$/;
const LOCAL_HOSTS: readonly string[] = ['localhost', '127.0.0.1'];

/** Why a text is not a valid frame origin, or null. Valid is an HTTPS origin such as `https://shop.example.com`. */
export function frameOriginProblem(
  text: string,
  { allowLocalhost }: { readonly allowLocalhost: boolean },
): string | null {
  const [, scheme, host = ''] = ORIGIN.exec(text) ?? [];
  if (scheme === undefined || !URL.canParse(text) || new URL(text).origin !== text) {
    return 'must be an origin, as https://shop.example.com';
  }
  if (scheme === 'https' || (allowLocalhost && LOCAL_HOSTS.includes(host))) return null;
  return 'must begin with https://';
}
