import { Router } from 'express';
import { LRUCache } from 'lru-cache';
import { toBuffer } from 'qrcode';
import { validate } from 'uuid';
import { notFound } from '../../domain/shared/errors';
import { refuseMethod } from '../server/refuse-method';
import { setRoute } from '../server/request-context';

/** The text of an attempt's BR Code, or null. */
export type FindQrCode = (attemptId: string) => Promise<string | null>;

/** Pixels per side; large enough to scan from a screen or from paper. */
const WIDTH = 360;
/** Rendered pictures kept in memory, of a few KB each: drawing one takes milliseconds of this process. */
const MAX_PICTURES = 1_000;

/**
 * `/pix/<id>.png`: the QR code of a pix, which shops embed in their pages. The URL cannot be guessed and its content never
 * changes.
 */
export function pixPictureRouter(findQrCode: FindQrCode): Router {
  const pictures = new LRUCache<string, Buffer>({ max: MAX_PICTURES });
  const draw = async (attemptId: string): Promise<Buffer | null> => {
    const qrCode = await findQrCode(attemptId);
    return qrCode === null
      ? null
      : toBuffer(qrCode, { type: 'png', width: WIDTH, errorCorrectionLevel: 'M' });
  };
  const router = Router();
  const route = router.route('/:attemptId.png');
  route.all(setRoute('/pix/{id}.png'));
  route.get(async (req, res) => {
    const { attemptId } = req.params;
    const picture = pictures.get(attemptId) ?? (validate(attemptId) ? await draw(attemptId) : null);
    if (picture === null) throw notFound();
    pictures.set(attemptId, picture);
    res.set({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    res.type('png').send(picture);
  });
  route.all(refuseMethod(['GET']));
  return router;
}
