import { z } from 'zod';

/** Bodies and queries: bacen/pix-api, openapi.yaml 2.9.0. Amounts are decimal texts with two places. */
const text = z.string();
/** The document's patterns are not anchored; a PSP's are. */
const money = text.regex(/^\d{1,10}\.\d{2}$/);
export const txidPattern = /^[a-zA-Z0-9]{26,35}$/;
export const refundIdPattern = /^[a-zA-Z0-9]{1,35}$/;

/** Keys of the DICT: CPF, CNPJ, telephone, e-mail or a random key. */
const key = text
  .max(77)
  .regex(
    /^(\d{11}|[0-9A-Z]{12}\d{2}|\+55\d{10,11}|[^@\s]+@[^@\s]+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  );

const debtor = z.union([
  z.strictObject({ cpf: text.regex(/^\d{11}$/), nome: text.max(200) }),
  z.strictObject({ cnpj: text.regex(/^[0-9A-Z]{14}$/), nome: text.max(200) }),
]);

const calendar = z.strictObject({ expiracao: z.int().positive().max(2_147_483_647).default(86_400) });

const value = z.strictObject({
  original: money.refine((amount) => Number(amount) > 0),
  modalidadeAlteracao: z.int().min(0).max(1).optional(),
});

const common = {
  devedor: debtor.optional(),
  loc: z.strictObject({ id: z.int(), tipoCob: z.literal('cob').optional() }).optional(),
  solicitacaoPagador: text.max(140).optional(),
  infoAdicionais: z
    .array(z.strictObject({ nome: text.max(50), valor: text.max(200) }))
    .max(50)
    .optional(),
};

/** `CobSolicitada`. */
export const cobBody = z.strictObject({ ...common, calendario: calendar, valor: value, chave: key });
export type CobBody = z.output<typeof cobBody>;

/** `CobRevisada`. */
export const cobRevision = z.strictObject({
  ...common,
  calendario: calendar.optional(),
  valor: value.optional(),
  chave: key.optional(),
  status: z.literal('REMOVIDA_PELO_USUARIO_RECEBEDOR').optional(),
});
export type CobRevision = z.output<typeof cobRevision>;

/** `DevolucaoSolicitada`. */
export const refundRequest = z.strictObject({
  valor: money.refine((amount) => Number(amount) > 0),
  natureza: z.enum(['ORIGINAL', 'RETIRADA']).default('ORIGINAL'),
  descricao: text.max(140).optional(),
});

const count = text.regex(/^\d{1,9}$/).transform(Number);

/** The query of `GET /cob`. This fake keeps no debtor, so it cannot filter by one. */
export const cobQuery = z.strictObject({
  inicio: z.iso.datetime({ offset: true }),
  fim: z.iso.datetime({ offset: true }),
  status: z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']).optional(),
  locationPresente: z.enum(['true', 'false']).optional(),
  'paginacao.paginaAtual': count.default(0),
  'paginacao.itensPorPagina': count.pipe(z.int().min(1).max(1_000)).default(100),
});
export type CobQuery = z.output<typeof cobQuery>;

/** RFC 6749, section 4.4.2. */
export const tokenRequest = z.object({ grant_type: text, scope: text.optional() });

export const centsOf = (amount: string): number => Number(amount.replace('.', ''));
export const moneyOf = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
