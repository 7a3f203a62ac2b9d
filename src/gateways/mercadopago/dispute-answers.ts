import type { EvidenceFileType } from '../../domain/disputes/dispute-evidence';
import type { DisputeDriver, GatewayEvidence } from '../disputes/dispute-driver';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import { get, sendFiles } from './calls';
import { statusOf } from './disputes';
import { chargebackReply } from './wire';

const EXTENSIONS: Readonly<Record<EvidenceFileType, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
};

/** https://www.mercadopago.com.br/developers/en/docs/checkout-pro/chargebacks/manage */
export const mercadoPagoDisputes: DisputeDriver<GatewayContext> = {
  accept() {
    return Promise.reject(new GatewayError('unsupported', 'Mercado Pago takes no acceptance'));
  },

  /** "If the documentation has been successfully uploaded, the API will answer with 200 OK". What the answer says is not documented. */
  async submit(ctx, { gatewayDisputeId: id }, evidence) {
    await sendFiles(ctx, {
      path: `${pathOf(id)}/documentation`,
      form: formOf(evidence),
      sendBefore: ctx.sendBefore,
    });
  },

  async findStatus(ctx, { gatewayDisputeId: id }) {
    const chargeback = await get(ctx, pathOf(id), chargebackReply);
    if (chargeback.id !== id) throw new GatewayError('ambiguous', 'the gateway answered for another dispute');
    return statusOf(chargeback);
  },
};

const pathOf = (id: string): string => `chargebacks/${encodeURIComponent(id)}`;

/** "Files can be .jpg, .png or .pdf and should not exceed 10mb overall." */
function formOf(evidence: readonly GatewayEvidence[]): FormData {
  const form = new FormData();
  for (const piece of evidence) {
    if ('text' in piece)
      throw new GatewayError(
        'invalid_request',
        'Mercado Pago takes files only: give the text as a PDF or a picture',
      );
    const { contentType, bytes } = piece.file;
    const name = `${piece.kind}.${EXTENSIONS[contentType]}`;
    form.append('files[]', new Blob([new Uint8Array(bytes)], { type: contentType }), name);
  }
  return form;
}
