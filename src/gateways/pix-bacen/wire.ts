import { z } from 'zod';
import { amount } from './amounts';

/**
 * The objects of the central bank's Pix API 2.9.0 (https://github.com/bacen/pix-api), as far as the driver reads them. A state
 * that is not listed makes an answer unreadable, so that it proves nothing.
 */

/** `CobrancaStatus`. Of the record: an expired charge stays `ATIVA`. */
export const CHARGE_STATES = [
  'ATIVA',
  'CONCLUIDA',
  'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  'REMOVIDA_PELO_PSP',
] as const;

/** `Devolucao.status` */
export const RETURN_STATES = ['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO'] as const;

const endToEndId = z.string().regex(/^[A-Za-z0-9]{32,34}$/);

export const returnReply = z.object({
  id: z.string().regex(/^[A-Za-z0-9]{1,35}$/),
  valor: amount,
  status: z.enum(RETURN_STATES),
  /** `MED_*`: the payer's bank asked for it. */
  natureza: z.string().nullish(),
  motivo: z.string().nullish(),
  /** RFC 3339. What of it cannot be read makes no answer unreadable. */
  horario: z
    .object({ solicitacao: z.string().nullish(), liquidacao: z.string().nullish() })
    .nullish()
    .catch(null),
});
export type PixReturn = z.output<typeof returnReply>;

/** A transfer. The example of the webhook has one return in place of a list. */
export const transfer = z.object({
  endToEndId,
  txid: z.string().nullish(),
  valor: amount,
  devolucoes: z
    .union([z.array(returnReply), returnReply.transform((one) => [one])])
    .nullish()
    .transform((returns) => returns ?? []),
});
export type PixTransfer = z.output<typeof transfer>;

/** `CobCompleta` */
export const chargeReply = z.object({
  txid: z.string().regex(/^[A-Za-z0-9]{26,35}$/),
  status: z.enum(CHARGE_STATES),
  calendario: z.object({
    criacao: z.iso.datetime({ offset: true }),
    expiracao: z.coerce.number().int().positive(),
  }),
  valor: z.object({ original: amount }),
  pixCopiaECola: z.string().min(1).max(512).nullish(),
  location: z.string().nullish(),
  loc: z.object({ location: z.string().nullish() }).nullish(),
  pix: z
    .array(transfer)
    .nullish()
    .transform((transfers) => transfers ?? []),
});
export type PixChargeRecord = z.output<typeof chargeReply>;

/** `GET /cob` of which only the form matters. */
export const chargeList = z.object({ parametros: z.looseObject({}), cobs: z.array(z.unknown()) });

/** `Problema`, as RFC 7807. */
export const problem = z.object({
  type: z.string().regex(/^https:\/\/pix\.bcb\.gov\.br\/api\/v2\/error\/\w+$/),
  title: z.string(),
  status: z.int(),
});

/** The errors of Efí and PagBank. */
export const problemOfEfi = z.object({ nome: z.string(), mensagem: z.string() });

/** RFC 6749, section 5.1. Some banks write the seconds as a text. */
export const tokenReply = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(300),
});

/** RFC 6749, section 5.2, and RFC 6750, section 3. */
export const oauthError = z.object({ error: z.string().min(1) });

/** `POST {webhookUrl}/pix` */
export const callbackBody = z.object({ pix: z.array(transfer).min(1) });

/** With which a bank tries a callback's address when it is registered: https://dev.efipay.com.br/docs/api-pix/webhooks/ */
export const callbackTest = z.object({ evento: z.string().min(1) });
