import { randomUUID } from 'node:crypto';
import { toBuffer } from 'qrcode';
import { expectError } from '../support/expect-error';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';
import { pendingPix, sale } from '../support/payment-scenario';

let api: EngineApi;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
afterAll(() => api.stop());

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const picture = (id: string, init: RequestInit = {}) => fetch(`${api.baseUrl}/pix/${id}.png`, init);

describe('GET /pix/{attempt id}.png', () => {
  it('returns the QR code to anyone with its URL, immutable', async () => {
    const client = await registerWithGateways(api);
    const { transactions } = await pendingPix(client);
    const [{ id, pix } = { id: '', pix: null }] = transactions;
    const response = await picture(id);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    const png = Buffer.from(await response.arrayBuffer());
    expect(png.subarray(0, 8)).toEqual(PNG_SIGNATURE);
    expect(png.readUInt32BE(16)).toBeGreaterThanOrEqual(300);
    const same = await toBuffer(pix?.qr_code ?? '', {
      width: png.readUInt32BE(16),
      errorCorrectionLevel: 'M',
    });
    expect(png.equals(same)).toBe(true);
    expect(pix?.qr_code_url).toBe(`${api.engine.config.publicBaseUrl}/pix/${id}.png`);
  });

  it('is drawn once, however often it is requested', async () => {
    const client = await registerWithGateways(api);
    const { transactions } = await pendingPix(client);
    const id = transactions[0]?.id ?? '';
    const first = Buffer.from(await (await picture(id)).arrayBuffer());
    const reads = jest.spyOn(api.engine.context.attempts, 'find');
    const again = await picture(id);
    expect(again.status).toBe(200);
    expect(first.equals(Buffer.from(await again.arrayBuffer()))).toBe(true);
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
  });

  it('answers 404 for an unknown id and for an attempt without a pix', async () => {
    const client = await registerWithGateways(api);
    const [charge] = (await sale(client)).transactions;
    for (const id of [charge?.id ?? '', randomUUID(), 'nope', '%00']) {
      await expectError(await picture(id), 'not_found');
    }
    await expectError(await fetch(`${api.baseUrl}/pix/${randomUUID()}`), 'not_found');
  });

  it('answers 405 to other methods', async () => {
    const response = await picture(randomUUID(), { method: 'POST' });
    await expectError(response, 'method_not_allowed');
    expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});
