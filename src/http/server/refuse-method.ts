import type { RequestHandler } from 'express';
import { ApiError } from '../../domain/shared/errors';

/** The last handler of a path: answers OPTIONS, and any method not in `methods` with 405; both with `Allow`. */
export function refuseMethod(methods: readonly string[]): RequestHandler {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
  return (req, res) => {
    res.setHeader('Allow', allow);
    if (req.method !== 'OPTIONS') {
      throw new ApiError('method_not_allowed', `${req.method} is not allowed here.`);
    }
    res.status(204).end();
  };
}
