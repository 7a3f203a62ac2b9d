import type { RequestListener, ServerResponse } from 'node:http';
import type { Express, Response } from 'express';
import { contract } from './contract';
import { bodyErrors } from './contract-schemas';

const routes = contract.routes
  .map((route) => ({
    route,
    method: route.method.toUpperCase(),
    pattern: new RegExp(`^${contract.basePath}${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?(\\?|$)`, 'i'),
    hasParameters: route.path.includes('{'),
  }))
  .sort((one, other) => Number(one.hasParameters) - Number(other.hasParameters));

/**
 * Wraps the app: a success response that violates the contract becomes a 500 with the violations. (The API client checks
 * error responses as well.)
 */
export function checkResponses(app: Express): RequestListener {
  return (req, res: ServerResponse & Partial<Pick<Response, 'json'>>) => {
    const { method, url = '' } = req;
    const route = routes.find(
      (candidate) => candidate.method === method && candidate.pattern.test(url),
    )?.route;
    // `json` is on Express’s prototype, so an own property takes precedence.
    res.json = (body: unknown) => {
      delete res.json;
      const response = res as Response;
      if (route === undefined || response.statusCode >= 400) return response.json(body);
      const errors = bodyErrors(route, response.statusCode, body === undefined ? body : serialized(body));
      if (errors.length === 0) return response.json(body);
      const message = `${route.id} violates its contract with status ${response.statusCode}: ${errors.join('; ')}`;
      const requestId = response.getHeader('x-request-id');
      return response.status(500).json({ code: 'internal_error', message, request_id: requestId });
    };
    app(req as Parameters<Express>[0], res as Response);
  };
}

/** The body after serialization. */
function serialized(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body));
}
