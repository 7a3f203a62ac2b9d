/** The body of a page that is not the gateway's own answer. */
export const FOREIGN_BODIES = ['html', 'json', 'empty'] as const;
export type ForeignBody = (typeof FOREIGN_BODIES)[number];

export interface ForeignPage {
  readonly contentType: string;
  readonly text: string;
}

/** The page of a proxy, a firewall or a load balancer in front of the gateway. */
export function foreignPage(status: number, body: ForeignBody): ForeignPage {
  switch (body) {
    case 'html':
      return {
        contentType: 'text/html',
        text: `<html><body><h1>${status}</h1><p>The gateway proxy failed.</p></body></html>`,
      };
    case 'json':
      // Similar to the gateway's own errors and lists, as the pages of API gateways often are.
      return {
        contentType: 'application/json',
        text: JSON.stringify({
          error: { code: String(status), message: 'The gateway proxy failed.' },
          data: [],
        }),
      };
    case 'empty':
      return { contentType: 'text/plain', text: '' };
  }
}
