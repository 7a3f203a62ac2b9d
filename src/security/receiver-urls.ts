/** Of `newRandomToken`. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The addresses of the webhook receivers that this service has for its companies. */
export class ReceiverUrls {
  private readonly prefix: string;

  constructor(publicBaseUrl: string) {
    this.prefix = `${publicBaseUrl}/api/v1/webhook-receivers/`;
  }

  urlOf(token: string): string {
    return this.prefix + token;
  }

  /** Null if it is no address of a receiver. */
  tokenOf(url: string): string | null {
    const token = url.slice(this.prefix.length);
    return url.startsWith(this.prefix) && TOKEN.test(token) ? token : null;
  }
}
