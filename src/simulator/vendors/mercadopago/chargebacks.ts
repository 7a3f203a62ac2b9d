import type { IncomingHttpHeaders } from 'node:http';
import { partsOf } from '../multipart';
import {
  isPastDue,
  storedEvidence,
  submitEvidence,
  type FoundDispute,
} from '../../operations/answer-dispute';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore, VendorCall, VendorHttpRequest, WorkResult } from '../adapter';
import { badRequest, errorOf } from './errors';
import { chargebackIdOf } from './ids';
import { listedChargeback } from './payment-object';

const MAX_BYTES = 10_000_000;
const FILE = /name="files\[\]"; filename="([^"]+\.(?:jpg|png|pdf))"/i;

/**
 * The chargebacks of the ledger: https://www.mercadopago.com.br/developers/en/docs/checkout-pro/chargebacks/manage. Not documented, and
 * answered here: the body of a successful upload (the chargeback), and the errors of a refused one.
 */
export class Chargebacks {
  constructor(private readonly core: SimulatorCore) {}

  find(gateway: VendorHttpRequest['gateway'], id: string): FoundDispute | null {
    for (const charge of this.core.store.newestFirst(gateway)) {
      const dispute = charge.disputes?.find((each) => String(chargebackIdOf(each.id)) === id);
      if (dispute !== undefined) return { charge, dispute };
    }
    return null;
  }

  /** `POST /v1/chargebacks/{id}/documentation` with a form of files; null for another route. */
  uploadCall({ gateway, method, path, headers, body }: VendorHttpRequest): VendorCall | null {
    const [version, resource, id = '', action, ...rest] = path;
    const isUpload =
      method === 'POST' && `${version}/${resource}/${action}` === 'v1/chargebacks/documentation';
    if (!isUpload || rest.length > 0) return null;
    return {
      ...{ operation: 'dispute', amount: null, idempotencyKey: null },
      reference: this.find(gateway, id)?.charge.reference ?? null,
      prepare: (account) => ({
        run: () => this.upload(account, this.find(gateway, id), { headers, body }),
        fail: (status) => errorOf(status),
        finish: () => undefined,
      }),
    };
  }

  private upload(
    account: string,
    found: FoundDispute | null,
    form: { readonly headers: IncomingHttpHeaders; readonly body: string },
  ): WorkResult {
    if (found === null || !this.core.accounts.canRead(account, found.charge.account))
      return { response: errorOf(404, { code: 'not_found', description: 'Chargeback not found' }) };
    const parts = partsOf(form.headers['content-type'] ?? '', form.body);
    const refusal = refusalOf(found, parts);
    if (refusal !== null) return { response: refusal };
    const evidence = parts.map(({ headers, content }) => storedEvidence(nameIn(headers) ?? '', content));
    const submitted = submitEvidence(this.core.store, found, evidence);
    const response = { status: 200, body: listedChargeback(submitted.charge, submitted.dispute) };
    return { response, ...submitted, announced: true };
  }
}

function refusalOf({ dispute }: FoundDispute, parts: ReturnType<typeof partsOf>): SimulatorResponse | null {
  if (parts.length === 0 || parts.some(({ headers }) => nameIn(headers) === null))
    return badRequest('bad_request', 'files must be .jpg, .png or .pdf');
  if (parts.reduce((sum, { content }) => sum + content.length, 0) > MAX_BYTES)
    return badRequest('bad_request', 'files must not exceed 10 MB');
  if (dispute.status !== 'opened' || isPastDue(dispute, new Date()))
    return badRequest('bad_request', 'documentation is not accepted');
  return null;
}

const nameIn = (headers: string): string | null => FILE.exec(headers)?.[1] ?? null;
