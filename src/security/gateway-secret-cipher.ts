import type { CredentialValues } from '../domain/routing/credential-fields';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { SealedValue } from '../domain/shared/sealed-value';
import type { EnvelopeCipher } from './envelope';
import { encryptionContext } from './encryption-context';
import { keyedHash } from './keyed-hash';

/** A company's gateway. */
interface SecretOwner {
  readonly companyId: number;
  readonly slug: GatewaySlug;
}

export interface SealedGatewaySecret {
  /** Keyed hash of all values and the client id: the same for the same values. */
  readonly fingerprint: string;
  readonly sealedValues: SealedValue;
}

/** Encrypts and recognizes the secrets of companies at gateways. */
export class GatewaySecretCipher {
  constructor(
    private readonly envelope: EnvelopeCipher,
    private readonly fingerprintKey: string,
  ) {}

  async seal(
    { companyId, slug }: SecretOwner,
    { secretKey, credentials }: CredentialValues,
    clientId: string | null,
  ): Promise<SealedGatewaySecret> {
    const named = Object.entries(credentials).sort(([a], [b]) => (a < b ? -1 : 1));
    const identity = JSON.stringify([companyId, slug, clientId, secretKey, named]);
    const fingerprint = keyedHash(this.fingerprintKey, identity);
    const context = encryptionContext.gatewaySecret(companyId, slug, fingerprint);
    const values: CredentialValues = { secretKey, credentials };
    return { fingerprint, sealedValues: await this.envelope.seal(JSON.stringify(values), context) };
  }

  /** Throws if the secret was altered or belongs to another company, gateway or row. */
  async open(
    { companyId, slug }: SecretOwner,
    { fingerprint, sealedValues }: SealedGatewaySecret,
  ): Promise<CredentialValues> {
    const context = encryptionContext.gatewaySecret(companyId, slug, fingerprint);
    return JSON.parse(await this.envelope.open(sealedValues, context)) as CredentialValues;
  }
}
