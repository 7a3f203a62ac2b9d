import type { DisputeRequest } from '../../src/domain/disputes/dispute-request';
import type { GatewayEvidence } from '../../src/gateways/disputes/dispute-driver';
import { GatewayError } from '../../src/gateways/errors';
import type { SubmittedEvidence } from '../../src/persistence/disputes/dispute-evidence-repository';
import type { DisputeRecord } from '../../src/persistence/disputes/dispute-repository';
import type { DisputeDeps } from './dispute-deps';
import { prepareDisputeCall } from './gateway-call';

/**
 * The evidence of a submission as its gateway takes it. Files that the gateway wants ahead are uploaded, each once: what is
 * uploaded is recorded, so that a worker after a crash goes on behind it.
 *
 * @throws GatewayError also if the customer of the payment was erased
 */
export async function prepareEvidence(
  deps: DisputeDeps,
  dispute: DisputeRecord,
  request: Pick<DisputeRequest, 'id'>,
): Promise<GatewayEvidence[]> {
  const pieces = await deps.disputeEvidence.listSubmission(request.id);
  if (pieces === null)
    throw new GatewayError('unsupported', 'the customer was erased, and the evidence with it');
  const prepared: GatewayEvidence[] = [];
  for (const piece of pieces) prepared.push(await prepare(deps, dispute, piece));
  return prepared;
}

async function prepare(
  deps: DisputeDeps,
  dispute: DisputeRecord,
  { id, kind, contentType, words, bytes, gatewayFileId }: SubmittedEvidence,
): Promise<GatewayEvidence> {
  if (words === null) throw new Error('stored evidence has a text or a name');
  if (contentType === null || bytes === null) return { kind, text: words };
  const file = { name: words, contentType, bytes };
  if (gatewayFileId !== null) return { kind, file, uploadedId: gatewayFileId };
  // A call of its own for each file, because the requests of one call share its timeout.
  const { driver, context } = await prepareDisputeCall(deps, dispute, { id }, 'submit_evidence');
  if (driver.uploadFile === undefined) return { kind, file, uploadedId: null };
  const uploadedId = await driver.uploadFile(context, file);
  await deps.disputeEvidence.recordUpload(id, uploadedId);
  return { kind, file, uploadedId };
}
