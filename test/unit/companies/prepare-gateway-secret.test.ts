import { randomBytes } from 'node:crypto';
import { prepareGatewaySecret } from '../../../src/application/companies/prepare-gateway-secret';
import { ApiError } from '../../../src/domain/shared/errors';
import { newGatewayAccountId, newGatewaySecretId } from '../../../src/domain/shared/ids';
import type { CredentialCheck, CredentialProbe } from '../../../src/gateways/credential-probe';
import type { GatewayRegistry } from '../../../src/gateways/registry';
import type {
  GatewaySecretRepository,
  GatewaySecretRow,
} from '../../../src/persistence/gateways/gateway-secret-repository';
import { EnvelopeCipher } from '../../../src/security/envelope';
import { GatewaySecretCipher } from '../../../src/security/gateway-secret-cipher';
import { sameGateways } from '../../support/same-gateways';

const NOW = new Date('2026-06-15T12:00:00Z');
const [PRESENT, EARLIER] = [newGatewayAccountId(), newGatewayAccountId()];
const secretCipher = new GatewaySecretCipher(new EnvelopeCipher([{ id: 'test', key: randomBytes(32) }]), [
  'fingerprint-key',
]);
const REQUESTED = {
  companyId: 7,
  slug: 'gateway_1',
  clientId: null,
  values: { secretKey: 'sk_new', credentials: {} },
  sameAccount: false,
  path: 'gateways.0',
} as const;

function row(change: Partial<GatewaySecretRow> = {}): GatewaySecretRow {
  return {
    id: newGatewaySecretId(),
    accountId: PRESENT,
    accountProof: 'origin',
    isCurrent: false,
    rejectedAt: null,
    createdAt: NOW,
    fingerprint: 'another',
    clientId: null,
    sealedValues: null,
    verifiedAt: NOW,
    ...change,
  };
}

interface World {
  readonly known?: readonly GatewaySecretRow[];
  readonly check?: CredentialCheck;
  /** Whether the new secret shows a charge of the present account; null if the gateway does not say. */
  readonly sees?: boolean | null;
  readonly hasCharge?: boolean;
}

function prepare(
  { known = [row({ isCurrent: true })], check = 'accepted', sees = null, hasCharge = true }: World,
  change: Partial<typeof REQUESTED | { readonly sameAccount: boolean }> = {},
) {
  const charge = { reference: 'reference-1', gatewayTransactionId: 'ch_1' };
  const gatewaySecrets = {
    list: () => Promise.resolve([...known]),
    findCharge: () => Promise.resolve(hasCharge ? charge : null),
  } as Partial<GatewaySecretRepository> as GatewaySecretRepository;
  const probe = {
    verify: () => Promise.resolve(check),
    sees: () => Promise.resolve(sees),
  } as Partial<CredentialProbe> as CredentialProbe;
  const registry = {
    credentialFields: () => [
      { name: 'secret_key', required: true, secret: true, description: '', descriptionPt: '', shape: null },
    ],
  } as Partial<GatewayRegistry> as GatewayRegistry;
  const deps = { gatewaySecrets, secretCipher, probe, registries: sameGateways(registry), now: () => NOW };
  return prepareGatewaySecret(deps, { ...REQUESTED, ...change });
}

/** The row of the requested secret, saved before. */
async function existing(change: Partial<GatewaySecretRow> = {}): Promise<GatewaySecretRow> {
  const { fingerprint } = await secretCipher.seal(REQUESTED, REQUESTED.values, null);
  return row({ fingerprint, ...change });
}

const errorsOf = (prepared: Promise<unknown>) =>
  prepared.then(
    () => null,
    (error: unknown) => (error instanceof ApiError ? error.fields : error),
  );

describe('the account of a new secret', () => {
  it('is a new one if the company has none', async () => {
    const { values, opensAccount } = await prepare({ known: [] }, { sameAccount: true });
    expect(values).toMatchObject({ accountProof: 'origin', verifiedAt: NOW });
    expect(opensAccount).toBe(true);
  });

  it.each([false, true])(
    'is the present one if the gateway shows a charge of it (same_account: %s)',
    async (sameAccount) => {
      const { values, opensAccount } = await prepare({ sees: true }, { sameAccount });
      expect(values).toMatchObject({ accountId: PRESENT, accountProof: 'seen' });
      expect(opensAccount).toBe(false);
    },
  );

  it('is the present one on the company’s word if the gateway does not say, or there is no charge', async () => {
    for (const world of [{ sees: null }, { hasCharge: false }]) {
      const { values } = await prepare(world, { sameAccount: true });
      expect(values).toMatchObject({ accountId: PRESENT, accountProof: 'claimed' });
    }
  });

  it.each([null, false])(
    'is a new one without that word if the gateway shows no charge (sees: %s)',
    async (sees) => {
      const { values, opensAccount } = await prepare({ sees });
      expect(values.accountId).not.toBe(PRESENT);
      expect([values.accountProof, opensAccount]).toEqual(['origin', true]);
    },
  );

  it('is refused if the company says that it is the present one, and the gateway contradicts', async () => {
    expect(await errorsOf(prepare({ sees: false }, { sameAccount: true }))).toEqual({
      'gateways.0.same_account': [
        'is wrong: gateway_1 does not show the charges of the present account with this secret',
      ],
    });
  });
});

describe('a secret that was saved before', () => {
  it('keeps its place if it is the current one, and its verification if the gateway is not reached', async () => {
    const verifiedAt = new Date(0);
    const known = [await existing({ isCurrent: true, verifiedAt })];
    const { values, isCurrent } = await prepare({ known, check: 'unknown', sees: false });
    expect(values).toMatchObject({ accountId: PRESENT, accountProof: 'origin', verifiedAt });
    expect(isCurrent).toBe(true);
  });

  it('returns to its own account, unverified until the gateway is reached', async () => {
    const known = [row({ isCurrent: true }), await existing({ accountId: EARLIER })];
    for (const sees of [null, false]) {
      const { values, accountChange } = await prepare({ known, check: 'unknown', sees });
      expect(values).toMatchObject({ accountId: EARLIER, accountProof: 'origin', verifiedAt: null });
      expect(accountChange).toBeNull();
    }
  });

  it('brings its account along if the gateway shows it a charge of the present one', async () => {
    const known = [row({ isCurrent: true }), await existing({ accountId: EARLIER })];
    const { values, accountChange } = await prepare({ known, check: 'unknown', sees: true });
    expect(values).toMatchObject({ accountId: PRESENT, accountProof: 'seen', verifiedAt: NOW });
    expect(accountChange).toEqual({ kind: 'merge', from: EARLIER, into: PRESENT });
  });

  it('moves alone if it was only claimed to be of another account', async () => {
    const claimed = await existing({ accountId: EARLIER, accountProof: 'claimed' });
    const { values, accountChange } = await prepare({
      known: [row({ isCurrent: true }), claimed],
      sees: true,
    });
    expect(values).toMatchObject({ accountId: PRESENT, accountProof: 'seen' });
    expect(accountChange).toBeNull();
  });
});

describe('the check of a secret', () => {
  it('is an error of the request if the gateway refuses it', async () => {
    expect(await errorsOf(prepare({ check: 'refused' }))).toEqual({
      'gateways.0.secret_key': ['gateway_1 rejected it'],
    });
  });

  it('leaves it unverified if the gateway is not reached', async () => {
    expect((await prepare({ check: 'unknown' })).values.verifiedAt).toBeNull();
  });
});
