import { z } from 'zod';
import type { DisputeDriver, EvidenceFile, GatewayEvidence } from '../disputes/dispute-driver';
import { endpointUrl } from '../endpoint-url';
import { GatewayError } from '../errors';
import type { GatewayContext } from '../gateway';
import { merchantAccountOf, readSuccess } from './calls';

/** Adyen/adyen-openapi, DisputeService-v30. */
const VERSION = 'v30';

const resultReply = z.object({
  disputeServiceResult: z.object({ success: z.boolean() }),
});
const documentType = z.object({ defenseDocumentTypeCode: z.string(), available: z.boolean() });
const reasonsReply = resultReply.extend({
  defenseReasons: z
    .array(z.object({ defenseReasonCode: z.string(), defenseDocumentTypes: z.array(documentType).nullish() }))
    .nullish(),
});
type DefenseReason = NonNullable<z.output<typeof reasonsReply>['defenseReasons']>[number];

/**
 * The reason that takes one document with everything in it. All others take documents of their own types, and evidence
 * that a company adds here does not say which of those types it is.
 */
const REASON = 'SupplyDefenseMaterial';
const DOCUMENT = 'DefenseMaterial';

/**
 * https://docs.adyen.com/risk-management/disputes-api. No request returns the status of a dispute: Adyen's webhooks report it. A
 * repeated request changes nothing, because a dispute is accepted or defended once.
 */
export const adyenDisputes: DisputeDriver<GatewayContext> = {
  async accept(ctx, { gatewayDisputeId: id }) {
    await call(ctx, { path: 'acceptDispute', id, sendBefore: ctx.sendBefore });
  },

  async submit(ctx, { gatewayDisputeId: id }, evidence) {
    const { contentType, bytes } = documentIn(evidence);
    const { defenseDocumentTypes } = await findReason(ctx, id);
    const kept = defenseDocumentTypes?.find(({ defenseDocumentTypeCode: code }) => code === DOCUMENT);
    // Of an earlier submission that was not defended with.
    if (kept?.available === true)
      await call(ctx, { path: 'deleteDisputeDefenseDocument', id, body: { defenseDocumentType: DOCUMENT } });
    const document = { defenseDocumentTypeCode: DOCUMENT, contentType, content: bytes.toString('base64') };
    await call(ctx, { path: 'supplyDefenseDocument', id, body: { defenseDocuments: [document] } });
    const body = { defenseReasonCode: REASON };
    await call(ctx, { path: 'defendDispute', id, body, sendBefore: ctx.sendBefore });
  },
};

/** https://docs.adyen.com/risk-management/understanding-disputes/defense-requirements: JPG, TIFF or PDF. */
function documentIn(evidence: readonly GatewayEvidence[]): EvidenceFile {
  const [only, ...others] = evidence;
  if (
    only === undefined ||
    others.length > 0 ||
    'text' in only ||
    !['application/pdf', 'image/jpeg'].includes(only.file.contentType)
  )
    throw new GatewayError(
      'invalid_request',
      'Adyen takes one file with all of the evidence: a PDF or a JPEG',
    );
  return only.file;
}

/** @throws GatewayError `unsupported` if this dispute is defended with documents of other types only */
async function findReason(ctx: GatewayContext, id: string): Promise<DefenseReason> {
  const path = 'retrieveApplicableDefenseReasons';
  const { defenseReasons } = await call(ctx, { path, id }, reasonsReply);
  const reason = defenseReasons?.find(({ defenseReasonCode: code }) => code === REASON);
  if (reason === undefined)
    throw new GatewayError(
      'unsupported',
      'Adyen does not take one document for this dispute; defend it in the Customer Area',
    );
  return reason;
}

interface DisputeRequest {
  readonly path: string;
  readonly id: string;
  readonly body?: object;
  /** Omitted if the request has no effect on the dispute. */
  readonly sendBefore?: number;
}

/** @throws GatewayError for every answer that is no success */
async function call(ctx: GatewayContext, request: DisputeRequest): Promise<z.output<typeof resultReply>>;
async function call<Schema extends typeof resultReply>(
  ctx: GatewayContext,
  request: DisputeRequest,
  schema: Schema,
): Promise<z.output<Schema>>;
async function call(
  ctx: GatewayContext,
  { path, id, body = {}, sendBefore }: DisputeRequest,
  schema = resultReply,
): Promise<z.output<typeof resultReply>> {
  const response = await ctx.http.send({
    method: 'POST',
    url: `${endpointUrl(ctx, 'disputes')}/${VERSION}/${path}`,
    headers: {
      'x-api-key': ctx.secretKey,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({
      ...body,
      disputePspReference: id,
      merchantAccountCode: merchantAccountOf(ctx),
    }),
    sendBefore: sendBefore ?? null,
  });
  const reply = readSuccess(response, { status: 200, schema });
  // Adyen's sentence is not repeated: it may name what the request has.
  if (!reply.disputeServiceResult.success)
    throw new GatewayError('invalid_request', 'Adyen did not take it; the Customer Area shows the dispute');
  return reply;
}
