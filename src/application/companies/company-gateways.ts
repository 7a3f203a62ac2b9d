import type { AuditActor } from '../../domain/companies/audit-actor';
import { changesBetween, SECRET_CHANGED, type AuditChanges } from '../../domain/companies/audit';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import { notFound } from '../../domain/shared/errors';
import { isGatewaySlug, type GatewaySlug } from '../../domain/shared/gateway-slug';
import type { CredentialField } from '../../domain/routing/credential-fields';
import type { Capabilities } from '../../domain/routing/routing';
import type { UnrecognizedOfGateway } from '../../domain/routing/unrecognized-answer';
import type { SealedValue } from '../../domain/shared/sealed-value';
import type { GatewayDriver } from '../../gateways/gateway';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import { isPlatformSlug } from '../../gateways/registry';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type {
  CredentialSettings,
  GatewayCredentialRepository,
} from '../../persistence/gateways/gateway-credential-repository';
import type { UnmatchedCallbackRepository } from '../../persistence/gateways/unmatched-callback-repository';
import type { UnrecognizedAnswerRepository } from '../../persistence/gateways/unrecognized-answer-repository';
import type { GatewayStates, StoredGatewayState } from '../../persistence/read-models/gateway-states';
import type { Database } from '../../persistence/sql/transaction';
import type { EnvelopeCipher } from '../../security/envelope';
import { encryptionContext } from '../../security/encryption-context';

export interface CompanyGatewaysDeps {
  readonly db: Database;
  readonly credentials: GatewayCredentialRepository;
  readonly gatewayStates: GatewayStates;
  readonly audit: AuditRepository;
  readonly keptAnswers: Pick<UnrecognizedAnswerRepository, 'list'>;
  readonly unmatchedCallbacks: Pick<UnmatchedCallbackRepository, 'list'>;
  readonly registries: GatewayRegistries;
  readonly envelope: EnvelopeCipher;
  readonly now: () => Date;
}

/** A company's state at a gateway, with the deployment's facts about the gateway. */
export interface GatewayState extends StoredGatewayState {
  /** Whether this deployment sends payments to the gateway. */
  readonly offered: boolean;
  /** For the platform's own gateways: whether the company may use the gateway. */
  readonly platform: { readonly usable: boolean } | null;
  /** Null if this deployment has no driver for the gateway. */
  readonly capabilities: Capabilities | null;
  /** The processor behind the gateway. Null if this deployment has no driver for it. */
  readonly vendor: string | null;
  readonly credentialFields: readonly CredentialField[];
  /** Null if this deployment has no driver for the gateway. */
  readonly callbackProof: CallbackProofKind | null;
}

/** How callbacks of a gateway are verified, for the company: what it has to store. */
export type CallbackProofKind = 'signature' | 'published_keys' | 'token' | 'none';

/** Undefined fields stay unchanged. */
export interface GatewayChange {
  readonly enabled?: boolean | undefined;
  readonly order?: number | undefined;
  /** The secret that verifies the gateway's callbacks; null deletes it. */
  readonly webhookSecret?: string | null | undefined;
}

/** A company's gateways as its users see and change them. Every change is written to the audit log. */
export class CompanyGateways {
  constructor(private readonly deps: CompanyGatewaysDeps) {}

  /** Every gateway, sorted by slug. */
  async list({ id, clientId }: AuthenticatedCompany): Promise<GatewayState[]> {
    const { gatewayStates, registries, now } = this.deps;
    const registry = registries.of(id);
    const stored = await gatewayStates.load(id, now());
    const usable = registry.platformSlugs(clientId);
    return stored.map((state) => ({
      ...state,
      offered: registry.isOffered(state.slug),
      platform: isPlatformSlug(state.slug) ? { usable: usable.includes(state.slug) } : null,
      capabilities: registry.isConfigured(state.slug) ? registry.capabilities(state.slug) : null,
      vendor: registry.isConfigured(state.slug) ? registry.driver(state.slug).name : null,
      callbackProof: registry.isConfigured(state.slug) ? callbackProofOf(registry.driver(state.slug)) : null,
      credentialFields: isPlatformSlug(state.slug) ? [] : registry.credentialFields(state.slug),
    }));
  }

  /** @throws ApiError `not_found` if the company has no credential for the gateway */
  async update(
    actor: AuditActor,
    company: AuthenticatedCompany,
    slug: string,
    change: GatewayChange,
  ): Promise<GatewayState> {
    if (!isGatewaySlug(slug)) throw notFound();
    await this.change(actor, slug, change);
    return this.get(company, slug);
  }

  async get(company: AuthenticatedCompany, slug: string): Promise<GatewayState> {
    const found = (await this.list(company)).find((state) => state.slug === slug);
    if (found === undefined) throw new Error(`${slug} is missing from the list of gateways`);
    return found;
  }

  /** @throws ApiError `not_found` for an unknown gateway */
  async listUnrecognized({ id }: AuthenticatedCompany, slug: string): Promise<UnrecognizedOfGateway> {
    if (!isGatewaySlug(slug)) throw notFound();
    const { keptAnswers, unmatchedCallbacks } = this.deps;
    const [answers, callbacks] = await Promise.all([
      keptAnswers.list(id, slug),
      unmatchedCallbacks.list(id, slug),
    ]);
    return { answers, callbacks };
  }

  private async change(actor: AuditActor, slug: GatewaySlug, change: GatewayChange): Promise<void> {
    const { db, credentials, audit, now } = this.deps;
    const { companyId } = actor;
    const secret = await this.seal(companyId, slug, change);
    await db.inTransaction(async (tx) => {
      const before = await credentials.lock(tx, companyId, slug);
      if (before === null) throw notFound();
      const { enabled = before.enabled, order = before.order } = change;
      const sealedWebhookSecret = secret === undefined ? before.sealedWebhookSecret : secret;
      const after = { enabled, order, sealedWebhookSecret };
      const changes = changesOf(before, after);
      if (Object.keys(changes).length === 0) return;
      await credentials.update(tx, { companyId, slug }, after, now());
      const subject = { subjectType: 'gateway', subjectId: slug } as const;
      await audit.insert(tx, { ...actor, ...subject, action: 'gateway.update', changes });
    });
  }

  private async seal(
    companyId: number,
    slug: GatewaySlug,
    { webhookSecret }: GatewayChange,
  ): Promise<SealedValue | null | undefined> {
    if (typeof webhookSecret !== 'string') return webhookSecret;
    return this.deps.envelope.seal(webhookSecret, encryptionContext.webhookSecret(companyId, slug));
  }
}

/** Encrypting the same secret again gives a different value, so setting a secret always counts as a change. */
function changesOf(before: CredentialSettings, after: CredentialSettings): AuditChanges {
  const shown = ({ enabled, order }: CredentialSettings): AuditChanges => ({ enabled, order });
  const secretStays = before.sealedWebhookSecret === after.sealedWebhookSecret;
  return {
    ...changesBetween(shown(before), shown(after)),
    ...(secretStays ? {} : { webhook_secret: SECRET_CHANGED }),
  };
}

function callbackProofOf({ callbackKeys, callbackProof }: GatewayDriver): CallbackProofKind {
  if (callbackKeys !== undefined) return 'published_keys';
  return callbackProof.kind === 'static_token' ? 'token' : callbackProof.kind;
}
