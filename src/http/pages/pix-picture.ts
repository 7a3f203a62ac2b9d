import { Router } from 'express';
import { toBuffer } from 'qrcode';
import { validate } from 'uuid';
import { notFound } from '../../domain/shared/errors';
import { refuseMethod } from '../server/refuse-method';
import { setRoute } from '../server/request-context';

/** The text of an attempt's BR Code, or null. */
export type FindQrCode = (attemptId: string) => Promise<string | null>;

/** Pixels per side; large enough to scan from a screen or from paper. */
const WIDTH = 360;

/**
 * `/pix/<id>.png`: the QR code of a pix, which shops embed in their pages. The URL cannot be guessed and its content never
 * changes.
 */
export function pixPictureRouter(findQrCode: FindQrCode): Router {
  const router = Router();
  const route = router.route('/:attemptId.png');
  route.all(setRoute('/pix/{id}.png'));
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
