import { Router } from 'express';
import { LOGO_EXTENSIONS, type LogoType } from '../../domain/companies/company-config';
import { notFound } from '../../domain/shared/errors';
import { refuseMethod } from '../server/refuse-method';
import { setRoute } from '../server/request-context';

/** The image with this SHA-256, or null. */
export type FindLogo = (
  hash: string,
) => Promise<{ readonly contentType: LogoType; readonly bytes: Buffer } | null>;

const HASH = /^[0-9a-f]{64}$/;

/** `/logos/<hash>.<extension>`: companies' logos for the pages of their customers. The content of a URL never changes. */
export function logosRouter(findLogo: FindLogo): Router {
  const router = Router();
  const route = router.route('/:hash.:extension');
  route.all(setRoute('/logos/{hash}.{extension}'));
  route.get(async (req, res) => {
    const { hash, extension } = req.params;
    const logo = HASH.test(hash) ? await findLogo(hash) : null;
    if (logo === null || LOGO_EXTENSIONS[logo.contentType] !== extension) throw notFound();
    res.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Content-Type': logo.contentType,
    });
    res.send(logo.bytes);
  });
  route.all(refuseMethod(['GET']));
  return router;
}
