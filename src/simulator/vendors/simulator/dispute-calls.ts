import type { DisputeRequestKind } from '../../../domain/disputes/dispute-request';
import { disputeAnswers } from '../../../gateways/simulator/profiles';
import { evidenceBody, type EvidenceBody } from '../../../gateways/simulator/wire-evidence';
import type { StoredEvidence } from '../../charge-store';
import { parseJson } from '../../exchange';
import {
  acceptDispute,
  findDispute,
  isPastDue,
  storedEvidence,
  submitEvidence,
  type FoundDispute,
} from '../../operations/answer-dispute';
import { gatewayErrorResponse, scriptedErrorResponse } from '../../replies';
import type { SimulatorCore, VendorCall, VendorHttpRequest, WorkResult } from '../adapter';

/** `GET /disputes/{id}`, `POST /disputes/{id}/accept` and `POST /disputes/{id}/evidence`. Null for another route. */
export function disputeCall(
  core: SimulatorCore,
  { gateway, method, path, body }: VendorHttpRequest,
  idempotencyKey: string | null,
): VendorCall | null {
  const [resource, id, action, ...rest] = path;
  if (resource !== 'disputes' || id === undefined || rest.length > 0) return null;
  const answer = answerOf(method, action);
  if (answer === null && (method !== 'GET' || action !== undefined)) return null;
  const find = (): FoundDispute | null => {
    const found = findDispute(core.store, id);
    return found?.charge.gateway === gateway ? found : null;
  };
  return {
    operation: answer === null ? 'inquiry' : 'dispute',
    amount: null,
    reference: find()?.charge.reference ?? null,
    idempotencyKey,
    prepare: (account) => ({
      run: () => {
        const found = find();
        if (found === null || !core.accounts.canRead(account, found.charge.account))
          return { response: gatewayErrorResponse('not_found', 'no such dispute') };
        if (answer === null) return { response: shown(found) };
        if (!disputeAnswers(gateway).includes(answer))
          return { response: gatewayErrorResponse('not_supported', 'disputes are answered on other pages') };
        return answer === 'accept' ? accept(core, found) : submit(core, found, body);
      },
      fail: scriptedErrorResponse,
      finish: () => undefined,
    }),
  };
}

function answerOf(method: string, action: string | undefined): DisputeRequestKind | null {
  return method === 'POST' && (action === 'accept' || action === 'evidence') ? action : null;
}

/** Accepting a lost dispute changes nothing, so a repetition gets the same answer. */
function accept(core: SimulatorCore, found: FoundDispute): WorkResult {
  const { status } = found.dispute;
  if (status === 'lost') return { response: shown(found) };
  if (status !== 'opened')
    return { response: gatewayErrorResponse('invalid_state', `the dispute is ${status}`) };
  return changed(acceptDispute(core.store, found));
}

/** Evidence is taken once, until it is due. */
function submit(core: SimulatorCore, found: FoundDispute, body: string): WorkResult {
  const parsed = evidenceBody.safeParse(parseJson(body));
  if (!parsed.success) return { response: gatewayErrorResponse('invalid_request', 'this is no evidence') };
  const { status } = found.dispute;
  if (status !== 'opened')
    return { response: gatewayErrorResponse('invalid_state', `the dispute is ${status}`) };
  if (isPastDue(found.dispute, new Date()))
    return { response: gatewayErrorResponse('invalid_state', 'the evidence was due before') };
  return changed(submitEvidence(core.store, found, parsed.data.evidence.map(stored)));
}

function stored(piece: EvidenceBody['evidence'][number]): StoredEvidence {
  const content =
    'text' in piece ? Buffer.from(piece.text, 'utf8') : Buffer.from(piece.file.content, 'base64');
  return storedEvidence(piece.kind, content);
}

function changed(found: FoundDispute): WorkResult {
  return { response: shown(found), charge: found.charge, dispute: found.dispute, announced: true };
}

function shown({ dispute: { id, status } }: FoundDispute): WorkResult['response'] {
  return { status: 200, body: { id, status } };
}
