import { z } from 'zod';
import type { StoredEvidence } from '../../charge-store';
import { parseJson } from '../../exchange';
import {
  acceptDispute,
  isPastDue,
  storedEvidence,
  submitEvidence,
  type FoundDispute,
} from '../../operations/answer-dispute';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore, VendorCall, VendorHttpRequest, WorkResult } from '../adapter';
import { isForeignAccount } from './create-payment';
import { errorOfStatus, invalidMerchantAccount } from './errors';
import { referenceFrom } from './ids';
import { invalidBody } from './problems';

const dispute = { disputePspReference: z.string().min(1), merchantAccountCode: z.string().min(1) };
const document = z.strictObject({
  defenseDocumentTypeCode: z.string().min(1),
  contentType: z.enum(['application/pdf', 'image/jpg', 'image/jpeg', 'image/tiff']),
  content: z.base64().min(1),
});

/** Each operation with its body: Adyen/adyen-openapi, DisputeService-v30. */
const BODIES = {
  acceptDispute: z.strictObject(dispute),
  defendDispute: z.strictObject({ ...dispute, defenseReasonCode: z.string().min(1) }),
  deleteDisputeDefenseDocument: z.strictObject({ ...dispute, defenseDocumentType: z.string().min(1) }),
  retrieveApplicableDefenseReasons: z.strictObject(dispute),
  supplyDefenseDocument: z.strictObject({ ...dispute, defenseDocuments: z.array(document).min(1) }),
} as const;
type Operation = keyof typeof BODIES;
type Body<Name extends Operation> = z.output<(typeof BODIES)[Name]>;

const STRUCTURES: Readonly<Record<Operation, string>> = {
  acceptDispute: 'AcceptDisputeRequest',
  defendDispute: 'DefendDisputeRequest',
  deleteDisputeDefenseDocument: 'DeleteDefenseDocumentRequest',
  retrieveApplicableDefenseReasons: 'DefenseReasonsRequest',
  supplyDefenseDocument: 'SupplyDefenseDocumentRequest',
};

/** The reason of the API's example that takes one document. The fake has no other. */
const REASON = 'SupplyDefenseMaterial';
const DOCUMENT = 'DefenseMaterial';

/**
 * Adyen's Disputes API below `/disputes`: https://docs.adyen.com/api-explorer/Disputes/30/overview. Not documented, and answered here:
 * what is refused, with `success` false; an acceptance is announced by no webhook.
 */
export class AdyenDisputeService {
  /** The documents that were supplied, by the core's id of the dispute. */
  private readonly documents = new Map<string, StoredEvidence>();

  constructor(private readonly core: SimulatorCore) {}

  /** A request for the API; null for an unknown route. */
  receive(request: VendorHttpRequest): VendorCall | null {
    const [, version, operation = '', ...rest] = request.path;
    if (request.method !== 'POST' || version !== 'v30' || rest.length > 0 || !isOperation(operation))
      return null;
    const parsed = BODIES[operation].safeParse(parseJson(request.body));
    const found = parsed.success ? this.find(request, parsed.data.disputePspReference) : null;
    const isAnswer = operation === 'acceptDispute' || operation === 'defendDispute';
    return {
      ...{ operation: isAnswer ? 'dispute' : null, amount: null, idempotencyKey: null },
      reference: isAnswer ? (found?.charge.reference ?? null) : null,
      prepare: (account) => ({
        run: () => {
          if (!parsed.success) return { response: invalidBody(parsed.error, STRUCTURES[operation]) };
          if (isForeignAccount(parsed.data.merchantAccountCode))
            return { response: invalidMerchantAccount() };
          const current = this.find(request, parsed.data.disputePspReference);
          if (current === null || !this.core.accounts.canRead(account, current.charge.account))
            return { response: refused('Dispute not found') };
          return this.run(operation, parsed.data, current);
        },
        fail: (status) => errorOfStatus(status),
        finish: () => undefined,
      }),
    };
  }

  /** References are made from ids. */
  private find({ gateway }: VendorHttpRequest, pspReference: string): FoundDispute | null {
    for (const charge of this.core.store.newestFirst(gateway)) {
      const found = charge.disputes?.find(({ id }) => referenceFrom(id) === pspReference);
      if (found !== undefined) return { charge, dispute: found };
    }
    return null;
  }

  private run(operation: Operation, body: object, found: FoundDispute): WorkResult {
    const { id, status } = found.dispute;
    if (status !== 'opened') return { response: refused('The dispute is not open for a defense') };
    switch (operation) {
      case 'acceptDispute': {
        const { charge } = acceptDispute(this.core.store, found);
        return { response: SUCCESS, charge };
      }
      case 'defendDispute':
        return this.defend(found, body as Body<'defendDispute'>);
      case 'retrieveApplicableDefenseReasons':
        return { response: { status: 200, body: this.reasonsOf(id) } };
      case 'deleteDisputeDefenseDocument':
        return { response: this.documents.delete(id) ? SUCCESS : refused('No such document') };
      case 'supplyDefenseDocument':
        return { response: this.supply(id, body as Body<'supplyDefenseDocument'>) };
    }
  }

  private defend(found: FoundDispute, { defenseReasonCode }: Body<'defendDispute'>): WorkResult {
    const kept = this.documents.get(found.dispute.id);
    if (defenseReasonCode !== REASON || kept === undefined)
      return { response: refused('Insufficient defense material') };
    if (isPastDue(found.dispute, new Date())) return { response: refused('The defense period has ended') };
    return { response: SUCCESS, ...submitEvidence(this.core.store, found, [kept]), announced: true };
  }

  private supply(id: string, { defenseDocuments }: Body<'supplyDefenseDocument'>): SimulatorResponse {
    const [only] = defenseDocuments;
    if (only?.defenseDocumentTypeCode !== DOCUMENT || defenseDocuments.length > 1 || this.documents.has(id))
      return refused('The document is not taken');
    this.documents.set(id, storedEvidence(DOCUMENT, Buffer.from(only.content, 'base64')));
    return SUCCESS;
  }

  private reasonsOf(id: string): object {
    const available = this.documents.has(id);
    const documentType = { defenseDocumentTypeCode: DOCUMENT, requirementLevel: 'Required', available };
    const reason = { defenseReasonCode: REASON, satisfied: available, defenseDocumentTypes: [documentType] };
    return { defenseReasons: [reason], disputeServiceResult: { success: true } };
  }
}

function isOperation(name: string): name is Operation {
  return name in BODIES;
}

const SUCCESS: SimulatorResponse = { status: 200, body: { disputeServiceResult: { success: true } } };

function refused(errorMessage: string): SimulatorResponse {
  return { status: 200, body: { disputeServiceResult: { success: false, errorMessage } } };
}
