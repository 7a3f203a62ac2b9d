import type { CredentialValues } from '../domain/routing/credential-fields';
import type { GatewaySlug } from '../domain/shared/gateway-slug';
import type { SealedValue } from '../domain/shared/sealed-value';
import type { EnvelopeCipher } from './envelope';
import { encryptionContext } from './encryption-context';
import { keyedHash } from './keyed-hash';
import { byEachKey, type KeyedValues, type SecretKeys } from './secret-keys';

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
    private readonly fingerprintKeys: SecretKeys,
  ) {}

  /** By each key: a stored secret with the same values has one of them. */
  fingerprints(
    { companyId, slug }: SecretOwner,
    { secretKey, credentials }: CredentialValues,
    clientId: string | null,
  ): KeyedValues {
    const named = Object.entries(credentials).sort(([a], [b]) => (a < b ? -1 : 1));
    const identity = JSON.stringify([companyId, slug, clientId, secretKey, named]);
    return byEachKey(this.fingerprintKeys, (key) => keyedHash(key, identity));
  }

  /** @param fingerprint Of the stored secret with the same values, if there is one; by default that of the current key */
  async seal(
    owner: SecretOwner,
    { secretKey, credentials }: CredentialValues,
    clientId: string | null,
    fingerprint = this.fingerprints(owner, { secretKey, credentials }, clientId)[0],
  ): Promise<SealedGatewaySecret> {
    const { companyId, slug } = owner;
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
    return JSON.parse(await this.envelope.openOften(sealedValues, context)) as CredentialValues;
  }
}
