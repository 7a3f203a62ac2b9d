import { ApiError, notFound } from '../../domain/shared/errors';
import { isGatewaySlug } from '../../domain/shared/gateway-slug';
import type {
  AuthorizationRow,
  RecipientAuthorizationRepository,
} from '../../persistence/gateways/recipient-authorization-repository';
import { encryptionContext } from '../../security/encryption-context';
import type { EnvelopeCipher } from '../../security/envelope';
import { hashRandomToken } from '../../security/random-tokens';
import type { RecipientWorkflows } from '../../temporal/recipients';

export interface ReceiveConsentDeps {
  readonly recipientAuthorizations: RecipientAuthorizationRepository;
  readonly recipients: Pick<RecipientWorkflows, 'awaitRecipient'>;
  readonly envelope: EnvelopeCipher;
  readonly syncTimeoutMs: number;
  readonly now: () => Date;
}

export interface ConsentAnswer {
  readonly state: string;
  /** Null if the owner did not consent. */
  readonly code: string | null;
}

/** The status of the consent after an owner's answer. */
export type ConsentResult = 'connected' | 'processing' | 'declined';

/**
 * Receives the answer of a recipient's owner. Its state is that of one sub-account's link and so identifies the sub-account; the first
 * answer to a state counts. The code is stored before the recipient's workflow redeems it, so a repeated request continues.
 *
 * @throws ApiError `not_found` for an unknown state, `link_expired` for one that is over: nothing changes
 */
export class ReceiveConsent {
  constructor(private readonly deps: ReceiveConsentDeps) {}

  async execute(slug: string, { state, code }: ConsentAnswer, receivedAt: Date): Promise<ConsentResult> {
    const stateHash = hashRandomToken(state);
    const row = isGatewaySlug(slug)
      ? await this.deps.recipientAuthorizations.findByState(slug, stateHash)
      : null;
    if (row === null) throw notFound();
    if (row.status === 'active') return 'connected';
    if (row.receivedAt === null) {
      if (row.expiresAt === null || row.expiresAt <= this.deps.now()) throw linkOver();
      if (code === null) return 'declined';
      await this.store(row, stateHash, code);
    }
    return this.redeemed(row, stateHash, receivedAt);
  }

  private async store({ id, companyId }: AuthorizationRow, stateHash: string, code: string): Promise<void> {
    const { recipientAuthorizations, envelope, now } = this.deps;
    const sealed = await envelope.seal(code, encryptionContext.consentCode(companyId, id));
    await recipientAuthorizations.receive(stateHash, sealed, now());
  }

  /** If the workflow cannot be reached, the sweeper starts it. A code that was not accepted has made a new link. */
  private async redeemed(row: AuthorizationRow, stateHash: string, receivedAt: Date): Promise<ConsentResult> {
    const { recipients, recipientAuthorizations, syncTimeoutMs } = this.deps;
    const { id, companyId, gatewaySlug } = row;
    const deadline = new Date(receivedAt.getTime() + syncTimeoutMs);
    await recipients.awaitRecipient({ id, companyId, gatewaySlug, answeredState: stateHash }, deadline);
    const after = await recipientAuthorizations.get(id);
    if (after.stateHash !== stateHash) throw linkOver();
    return after.status === 'active' ? 'connected' : 'processing';
  }
}

function linkOver(): ApiError {
  return new ApiError('link_expired', 'The link is no longer valid. Ask for a new one.');
}
