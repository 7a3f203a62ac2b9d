import type { GatewayContext } from '../../../../src/gateways/gateway';
import type { GatewayHttpRequest, GatewayHttpResponse } from '../../../../src/gateways/http';
import { foreignPage } from '../../../../src/simulator/foreign-pages';
import type { ForeignAnswer } from '../gateway-under-test';

type Send = GatewayContext['http']['send'];

/**
 * A call of a driver that got an answer which is not the gateway's own, and that can be made again with another such
 * answer in its place. The gateway then gets nothing twice: requests it has answered are answered as they were.
 */
export class RecordedCall {
  private readonly answers = new Map<string, GatewayHttpResponse>();

  constructor(private readonly newContext: () => GatewayContext) {}

  /** The context of the first call. */
  first(): GatewayContext {
    return this.contextThat(async (place, request, send) => {
      const response = await send(request);
      this.answers.set(place, response);
      return response;
    });
  }

  /** The context of the same call, answered by `another` where the first call was answered by `first`. */
  again(first: ForeignAnswer, another: ForeignAnswer): GatewayContext {
    const replaced = this.placeOf(first);
    return this.contextThat((place, request, send) => {
      if (place === replaced) return Promise.resolve(responseOf(another));
      const known = this.answers.get(place);
      return known === undefined ? send(request) : Promise.resolve(known);
    });
  }

  /** @throws if the first call did not get the answer, so that no test passes without it */
  private placeOf(answer: ForeignAnswer): string {
    const { status, text } = responseOf(answer);
    for (const [place, response] of this.answers) {
      if (response.status === status && response.text === text) return place;
    }
    throw new Error(`no request was answered by ${JSON.stringify(answer)}`);
  }

  private contextThat(
    respond: (place: string, request: GatewayHttpRequest, send: Send) => Promise<GatewayHttpResponse>,
  ): GatewayContext {
    const ctx = this.newContext();
    const counts = new Map<string, number>();
    const send: Send = (request) => {
      // Without the query, which may have the time.
      const target = `${request.method} ${request.url.split('?')[0]}`;
      const count = (counts.get(target) ?? 0) + 1;
      counts.set(target, count);
      return respond(`${target} ${count}`, request, (sent) => ctx.http.send(sent));
    };
    return { ...ctx, http: { send } };
  }
}

function responseOf({ html, body = 'html' }: ForeignAnswer): GatewayHttpResponse {
  const { contentType, text } = foreignPage(html, body);
  return { status: html, headers: { 'content-type': contentType }, text };
}
