import { Router } from 'express';
import { toBuffer } from 'qrcode';
import { validate } from 'uuid';
import { notFound } from '../../domain/shared/errors';
import { refuseMethod } from '../server/refuse-method';

/** The text of the BR Code that a gateway operation gave, or null. */
export type FindQrCode = (attemptId: string) => Promise<string | null>;

/** Pixels a side; enough to be read from a screen or from paper. */
const WIDTH = 360;

/**
 * `/pix/<id>.png`: the picture of a pix's code, for the customer who is to pay it. Its address cannot be guessed, and
 * what it shows never changes; shops show it on their own pages.
 */
export function pixPictureRouter(findQrCode: FindQrCode): Router {
  const router = Router();
  const route = router.route('/:attemptId.png');
  route.all((req, _res, next) => {
    req.context.route = '/pix/{id}.png';
    next();
  });
  route.get(async (req, res) => {
    const { attemptId } = req.params;
    const qrCode = validate(attemptId) ? await findQrCode(attemptId) : null;
    if (qrCode === null) throw notFound();
    const picture = await toBuffer(qrCode, { type: 'png', width: WIDTH, errorCorrectionLevel: 'M' });
    res.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    res.type('png').send(picture);
  });
  route.all(refuseMethod(['GET']));
  return router;
}
