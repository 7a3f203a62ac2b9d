import fc from 'fast-check';
import { newGatewayAccountId, newGatewaySecretId } from '../../../src/domain/shared/ids';
import {
  accountChangeAfterSeen,
  rankSecrets,
  type AccountProof,
  type AccountSecret,
} from '../../../src/domain/routing/gateway-secrets';

const [ACCOUNT, OTHER] = [newGatewayAccountId(), newGatewayAccountId()];

function secret(change: Partial<AccountSecret> = {}): AccountSecret {
  return {
    id: newGatewaySecretId(),
    accountId: ACCOUNT,
    accountProof: 'origin',
    isCurrent: false,
    rejectedAt: null,
    createdAt: new Date(0),
    ...change,
  };
}

const ranked = (sender: AccountSecret, ...secrets: AccountSecret[]) =>
  rankSecrets(sender, secrets).map(({ secret: { id }, trust }) => [id, trust]);

describe('rankSecrets', () => {
  it('uses the secrets of the account first, the current one before the sender, and newer ones before older', () => {
    const sender = secret();
    const current = secret({ accountProof: 'seen', isCurrent: true });
    const older = secret({ accountProof: 'seen' });
    const newer = secret({ accountProof: 'seen', createdAt: new Date(1) });
    const claimed = secret({ accountProof: 'claimed', createdAt: new Date(9) });
    const elsewhere = secret({ accountId: OTHER, isCurrent: false });
    expect(ranked(sender, elsewhere, claimed, older, newer, sender, current)).toEqual([
      [current.id, 'same_account'],
      [sender.id, 'same_account'],
      [newer.id, 'same_account'],
      [older.id, 'same_account'],
      [claimed.id, 'claimed'],
      [elsewhere.id, 'unproven'],
    ]);
  });

  it('uses a rejected secret last, because the gateway may accept it again', () => {
    const sender = secret({ rejectedAt: new Date(0) });
    const elsewhere = secret({ accountId: OTHER, isCurrent: true });
    expect(ranked(sender, sender, elsewhere)).toEqual([
      [elsewhere.id, 'unproven'],
      [sender.id, 'same_account'],
    ]);
  });

  it('trusts no other secret of an account with a charge whose own secret is only claimed to be of it', () => {
    const sender = secret({ accountProof: 'claimed' });
    const origin = secret({ isCurrent: true });
    expect(ranked(sender, origin, sender)).toEqual([
      [sender.id, 'same_account'],
      [origin.id, 'claimed'],
    ]);
  });
});

describe('accountChangeAfterSeen', () => {
  it('merges the account of the reader into the account of the charge if both are proven', () => {
    expect(accountChangeAfterSeen(secret(), secret({ accountId: OTHER }))).toEqual({
      kind: 'merge',
      from: OTHER,
      into: ACCOUNT,
    });
  });

  it('moves only the secret that was claimed, to the account of the proven one', () => {
    const claimed = secret({ accountProof: 'claimed' });
    const proven = secret({ accountId: OTHER });
    const joins = { kind: 'join', secretId: claimed.id, accountId: OTHER };
    expect(accountChangeAfterSeen(proven, claimed)).toEqual(joins);
    expect(accountChangeAfterSeen(claimed, proven)).toEqual(joins);
  });

  it('changes nothing that is known already, and nothing between two claims', () => {
    const proof = fc.constantFrom<AccountProof>('origin', 'seen', 'claimed');
    const account = fc.constantFrom(ACCOUNT, OTHER);
    const any = fc.record({ accountProof: proof, accountId: account }).map(secret);
    fc.assert(
      fc.property(any, any, (sender, reader) => {
        const change = accountChangeAfterSeen(sender, reader);
        const claims = [sender, reader].filter(({ accountProof }) => accountProof === 'claimed').length;
        const isKnown = claims === 0 && sender.accountId === reader.accountId;
        expect(change === null).toBe(isKnown || claims === 2);
        expect(accountChangeAfterSeen(sender, sender)).toBeNull();
      }),
    );
  });

  it('makes "not found" with the reader count from then on', () => {
    const sender = secret();
    const reader = secret({ accountProof: 'claimed' });
    const change = accountChangeAfterSeen(sender, reader);
    if (change?.kind !== 'join') throw new Error('the reader does not join the account');
    const joined = { ...reader, accountId: change.accountId, accountProof: 'seen' } as const;
    expect(ranked(sender, joined)).toEqual([[joined.id, 'same_account']]);
  });
});
