import { awaitsCompany, type Dispute } from './dispute';
import { isUnderWay, type DisputeRequest, type DisputeRequestKind } from './dispute-request';

/**
 * What the company can answer now. Nothing is accepted of a retrieval request, which only asks for documents.
 *
 * @param taken what the gateway takes through its API
 */
export function possibleAnswers(
  { kind, status }: Pick<Dispute, 'kind' | 'status'>,
  last: Pick<DisputeRequest, 'status'> | null,
  taken: readonly DisputeRequestKind[],
): DisputeRequestKind[] {
  if (!awaitsCompany({ status }) || (last !== null && isUnderWay(last))) return [];
  return taken.filter((answer) => answer === 'evidence' || kind !== 'retrieval');
}
