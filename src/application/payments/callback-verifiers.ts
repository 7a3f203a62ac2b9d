import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { CallbackHint, RawCallback } from '../../gateways/callback';
import type { CompanySign } from '../../domain/shared/mode';
import type { CallbackSource } from '../../gateways/modes/registries';
import type { UnmatchedCallbackRepository } from '../../persistence/gateways/unmatched-callback-repository';
import type { CallbackVerifier } from '../../persistence/payments/parked-callback-repository';
import type { EnvelopeCipher } from '../../security/envelope';
import { encryptionContext } from '../../security/encryption-context';

export interface CallbackVerifiersDeps {
  readonly unmatchedCallbacks: Pick<UnmatchedCallbackRepository, 'listSecrets'>;
  readonly envelope: EnvelopeCipher;
  /** The keys of the gateway that are known already: nothing is requested for a callback that may be anybody's. */
  readonly knownKeys: (at: CallingGateway) => readonly string[];
}

/** A gateway that calls, with the data that its callbacks may be about. */
export interface CallingGateway extends CallbackSource {
  readonly slug: GatewaySlug;
}

interface OpenedSecret {
  readonly companyId: number;
  readonly secret: string;
}

interface OpenedSecrets {
  readonly opened: Promise<readonly OpenedSecret[]>;
  readonly since: Date;
}

/** Companies whose secrets are tried. A callback that only another company could verify counts as unverified. */
const MAX_COMPANIES = 1_000;
/** Anybody can send callbacks, so they must not cost a statement and a decryption each. */
const KEPT_FOR_MS = 60_000;

/** Finds out who verifies a callback that names no charge, and so no company. */
export class CallbackVerifiers {
  private readonly secrets = new Map<string, OpenedSecrets>();

  constructor(private readonly deps: CallbackVerifiersDeps) {}

  /** Null if the callback is not verified. A secret of the deployment counts before one of a company. */
  async find(
    at: CallingGateway,
    raw: RawCallback,
    hint: CallbackHint,
    receivedAt: Date,
  ): Promise<CallbackVerifier | null> {
    const { slug, registry } = at;
    const driver = registry.driver(slug);
    if (driver.callbackProof.kind === 'none') return null;
    const verifies = (secrets: readonly string[]): boolean =>
      driver.verifyCallback(raw, hint, secrets, receivedAt) === 'valid';
    if (verifies([...registry.webhookSecrets(slug), ...this.deps.knownKeys(at)])) return { companyId: null };
    const own = await this.secretsOf(at, receivedAt);
    if (!verifies(own.map(({ secret }) => secret))) return null;
    return own.find(({ secret }) => verifies([secret])) ?? null;
  }

  private secretsOf({ slug, sign }: CallingGateway, now: Date): Promise<readonly OpenedSecret[]> {
    const name = `${slug} ${sign}`;
    const known = this.secrets.get(name);
    if (known !== undefined && now.getTime() < known.since.getTime() + KEPT_FOR_MS) return known.opened;
    const opened = this.open(slug, sign);
    this.secrets.set(name, { opened, since: now });
    opened.catch(() => this.secrets.delete(name));
    return opened;
  }

  private async open(slug: GatewaySlug, sign: CompanySign): Promise<readonly OpenedSecret[]> {
    const { unmatchedCallbacks, envelope } = this.deps;
    const sealed = await unmatchedCallbacks.listSecrets(slug, sign, MAX_COMPANIES);
    const opened = await Promise.allSettled(
      sealed.map(async ({ companyId, sealedSecret }) => ({
        companyId,
        secret: await envelope.open(sealedSecret, encryptionContext.webhookSecret(companyId, slug)),
      })),
    );
    // A secret that cannot be opened says nothing about the others.
    return opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }
}
