import type { RequestListener, ServerResponse } from 'node:http';
import type { Express, Response } from 'express';
import { contract } from './contract';
import { bodyFaults } from './contract-schemas';

const routes = contract.operations
  .map((operation) => ({
    operation,
    method: operation.method.toUpperCase(),
    pattern: new RegExp(
      `^${contract.basePath}${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}/?(\\?|$)`,
      'i',
    ),
    variable: operation.path.includes('{'),
  }))
  .sort((one, other) => Number(one.variable) - Number(other.variable));

/**
 * The app, except that a success which is not what the contract says of its operation becomes a 500 that tells why. (A
 * client of the contract looks at refusals too.)
 */
export function checkingAnswers(app: Express): RequestListener {
  return (req, res: ServerResponse & Partial<Pick<Response, 'json'>>) => {
    const { method, url = '' } = req;
    const operation = routes.find((route) => route.method === method && route.pattern.test(url))?.operation;
    // Express gives a response its methods by prototype: what is its own comes first.
    res.json = (body: unknown) => {
      delete res.json;
      const response = res as Response;
      if (operation === undefined || response.statusCode >= 400) return response.json(body);
      const faults = bodyFaults(operation, response.statusCode, body === undefined ? body : plain(body));
      if (faults.length === 0) return response.json(body);
      const message = `${operation.id} answers ${response.statusCode} against its contract: ${faults.join('; ')}`;
      const requestId = response.getHeader('x-request-id');
      return response.status(500).json({ code: 'internal_error', message, request_id: requestId });
    };
    app(req as Parameters<Express>[0], res as Response);
  };
}

/** A body as it goes over the wire. */
function plain(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body));
}
