import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { partsOf, type Part } from '../../multipart';
import type { SimulatorResponse } from '../../../replies';
import type { VendorCall } from '../../adapter';
import { NO_PAYMENT } from '../endpoint';
import { errorOfStatus, invalidRequest } from '../errors';

interface StoredFile {
  readonly id: string;
  readonly account: string;
  readonly bytes: Buffer;
}

const MAX_STORED = 1_000;

/** Files of Stripe's other address, as evidence of disputes: https://docs.stripe.com/api/files/create. They are kept in memory. */
export class Files {
  private readonly files = new Map<string, StoredFile>();

  /** `POST /v1/files` with a multipart form; null for another route. */
  uploadCall(path: readonly string[], headers: IncomingHttpHeaders, body: string): VendorCall | null {
    if (path.join('/') !== 'files') return null;
    return {
      ...NO_PAYMENT,
      idempotencyKey: null,
      prepare: (account) => ({
        run: () => ({ response: this.upload(account, headers, body) }),
        fail: errorOfStatus,
        finish: () => undefined,
      }),
    };
  }

  /** Null if the account has no such file. */
  find(account: string, id: string): StoredFile | null {
    const file = this.files.get(id);
    return file?.account === account ? file : null;
  }

  private upload(account: string, headers: IncomingHttpHeaders, body: string): SimulatorResponse {
    const parts = partsOf(headers['content-type'] ?? '', body);
    const purpose = parts.find((part) => part.headers.includes('name="purpose"'));
    const file = parts.find((part) => part.headers.includes('name="file"'));
    if (purpose === undefined)
      return invalidRequest('Missing required param: purpose.', { param: 'purpose' });
    if (purpose.content.toString() !== 'dispute_evidence')
      return invalidRequest('The fake takes evidence of disputes only.', { param: 'purpose' });
    if (file === undefined || file.content.length === 0)
      return invalidRequest('Missing required param: file.', { param: 'file' });
    const id = `file_${randomBytes(12).toString('hex')}`;
    this.files.set(id, { id, account, bytes: file.content });
    const [oldest] = this.files.keys();
    if (this.files.size > MAX_STORED && oldest !== undefined) this.files.delete(oldest);
    return { status: 200, body: fileObject(id, file) };
  }
}

/** https://docs.stripe.com/api/files/object */
function fileObject(id: string, { headers, content }: Part): object {
  const [, filename = null] = /filename="([^"]*)"/.exec(headers) ?? [];
  const [, type = ''] = /content-type: *\w+\/(\w+)/i.exec(headers) ?? [];
  return {
    ...{ id, object: 'file', created: Math.floor(Date.now() / 1000), expires_at: null, filename },
    ...{
      purpose: 'dispute_evidence',
      size: content.length,
      title: null,
      type: type.toLowerCase(),
      url: null,
    },
  };
}
