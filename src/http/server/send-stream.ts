import type { Response } from 'express';

/** A body that is made while it is sent. */
export interface StreamedBody {
  readonly type: string;
  /** Nothing runs before the first chunk is asked for. An empty chunk sends nothing. */
  readonly chunks: AsyncGenerator<string>;
}

/** A client that takes nothing for this long has gone. */
const STALL_TIMEOUT_MS = 60_000;

/**
 * Sends a body chunk by chunk, no faster than the client reads. The first chunk is made before the headers are sent.
 *
 * @throws what `chunks` throws; a body that was begun must then be cut off, so that the client does not take it for complete
 */
export async function sendStream(
  res: Response,
  { type, chunks }: StreamedBody,
  stallTimeoutMs: number = STALL_TIMEOUT_MS,
): Promise<void> {
  try {
    let next = await chunks.next();
    res.type(type);
    while (next.done !== true && !res.destroyed) {
      if (next.value !== '' && !res.write(next.value) && !(await isDrained(res, stallTimeoutMs))) break;
      next = await chunks.next();
    }
    if (next.done === true) res.end();
    else res.destroy();
  } finally {
    await chunks.return(undefined);
  }
}

/** Whether the client reads on in time. */
function isDrained(res: Response, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isRead: boolean) => (): void => {
      clearTimeout(timer);
      res.off('drain', onDrain).off('close', onClose);
      resolve(isRead);
    };
    const onDrain = settle(true);
    const onClose = settle(false);
    const timer = setTimeout(onClose, timeoutMs);
    res.once('drain', onDrain).once('close', onClose);
  });
}
