import type { StoredCharge, StoredDispute } from '../../charge-store';
import type { CallbackKind, CallbackMessage, SimulatorCore } from '../adapter';
import { moneyOf } from './bodies';
import { pixObject, returnIdOf, type PixObject } from './cob-object';

/**
 * `POST {webhookUrl}/pix`: when a charge is paid, and when a refund is DEVOLVIDO or NAO_REALIZADO. The document knows no
 * signature: a PSP shows a certificate. The token of the URL that the merchant registered comes with each, as Efí's `hmac`.
 */
export function webhooksOf(
  core: SimulatorCore,
  charge: StoredCharge,
  kind: CallbackKind,
  dispute?: StoredDispute,
): readonly CallbackMessage[] {
  const paid = pixObject(core, charge);
  if (paid === null) return [];
  // A dispute of the ledger shows in the payment itself.
  const pix = kind === 'chargeback' && dispute === undefined ? disputed(charge, paid) : paid;
  return [
    {
      body: Buffer.from(JSON.stringify({ pix: [pix] })),
      target: (secret) => `/pix${secret === null ? '' : `?hmac=${encodeURIComponent(secret)}`}`,
      sign: () => ({}),
    },
  ];
}

/** The special return mechanism (MED): the payer's bank claims a fraud and takes the money back. */
function disputed(charge: StoredCharge, pix: PixObject): PixObject {
  const at = new Date().toISOString();
  const claim = {
    id: `MED${charge.id.slice('ch_'.length).replaceAll('-', '').slice(0, 29)}`,
    rtrId: returnIdOf(charge, at, charge.operations.length),
    valor: moneyOf(charge.paid),
    natureza: 'MED_FRAUDE',
    horario: { solicitacao: at },
    status: 'EM_PROCESSAMENTO',
  };
  const own = Array.isArray(pix.devolucoes) ? (pix.devolucoes as readonly unknown[]) : [];
  return { ...pix, devolucoes: [...own, claim] };
}
