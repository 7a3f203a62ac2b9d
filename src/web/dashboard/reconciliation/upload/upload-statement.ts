import type { Schema } from '../../../api/client';
import { errorFromResponse, RequestError } from '../../../api/request-error';
import { modeHeader } from '../../mode';
import type { GatewaySlug } from '../../payments/status-labels';

export interface StatementUpload {
  readonly gateway: GatewaySlug;
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly file: File;
  readonly signal: AbortSignal;
  /** Called with the share of the file that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

export interface UploadedStatement {
  readonly id: string;
  /** False if the same file was uploaded before. */
  readonly isNew: boolean;
}

/** The largest file that the API takes. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Sends a statement while the browser reads it from the disk. Only `XMLHttpRequest` tells how much was sent.
 *
 * @throws RequestError; without a status if no response arrived or the upload was stopped
 */
export function uploadStatement(upload: StatementUpload): Promise<UploadedStatement> {
  const { gateway, day, file, signal, onProgress } = upload;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(
      'POST',
      `/api/v1/user/settlements/import?${new URLSearchParams({ gateway, day }).toString()}`,
    );
    for (const [name, value] of Object.entries(modeHeader)) request.setRequestHeader(name, value);
    request.setRequestHeader('Content-Type', 'text/csv');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      onProgress(total === 0 ? 1 : loaded / total);
    });
    request.addEventListener('load', () => {
      const { status } = request;
      const body: unknown = request.response;
      if (status !== 200 && status !== 202) return reject(errorFromResponse(status, body));
      const { data } = body as Schema<'SettlementResponse'>;
      resolve({ id: data.id, isNew: status === 202 });
    });
    const fail = () => reject(new RequestError({ status: null }));
    request.addEventListener('error', fail);
    request.addEventListener('abort', fail);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
