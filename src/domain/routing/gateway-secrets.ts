import type { GatewayAccountId, GatewaySecretId } from '../shared/ids';

/**
 * Why a secret belongs to its account: the account is known by this secret (`origin`), the gateway showed it a charge of the
 * account (`seen`), or only the company says so (`claimed`).
 */
export type AccountProof = 'origin' | 'seen' | 'claimed';

/** A secret of a company at a gateway. */
export interface AccountSecret {
  readonly id: GatewaySecretId;
  readonly accountId: GatewayAccountId;
  readonly accountProof: AccountProof;
  /** Whether new charges are sent with it. */
  readonly isCurrent: boolean;
  /** Since when the gateway rejects it. */
  readonly rejectedAt: Date | null;
  readonly createdAt: Date;
}

/**
 * What a gateway's answer with a secret says about a charge that was sent with another one. With `same_account` it is as good
 * as with the secret of the charge. With the others a found charge is found, but "not found" proves nothing.
 */
export type SecretTrust = 'same_account' | 'claimed' | 'unproven';

export interface RankedSecret<S extends AccountSecret = AccountSecret> {
  readonly secret: S;
  readonly trust: SecretTrust;
}

const TRUST_ORDER: readonly SecretTrust[] = ['same_account', 'claimed', 'unproven'];

/**
 * The secrets that may know a charge of `sender`, in the order to use them: those of the same account first, the current one
 * before the charge's own. A rejected secret comes last, because the gateway may accept it again.
 */
export function rankSecrets<S extends AccountSecret>(
  sender: AccountSecret,
  secrets: readonly S[],
): RankedSecret<S>[] {
  const position = ({ secret, trust }: RankedSecret): number[] => [
    secret.rejectedAt === null ? 0 : 1,
    TRUST_ORDER.indexOf(trust),
    secret.isCurrent ? 0 : 1,
    secret.id === sender.id ? 0 : 1,
    -secret.createdAt.getTime(),
  ];
  return secrets
    .map((secret) => ({ secret, trust: trustOf(sender, secret) }))
    .sort((a, b) => compare(position(a), position(b)));
}

function trustOf(sender: AccountSecret, secret: AccountSecret): SecretTrust {
  if (secret.id === sender.id) return 'same_account';
  if (secret.accountId !== sender.accountId) return 'unproven';
  return isProven(secret) && isProven(sender) ? 'same_account' : 'claimed';
}

function isProven({ accountProof }: AccountSecret): boolean {
  return accountProof !== 'claimed';
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A change of accounts: a secret joins an account as `seen`, or all secrets of one account join another. */
export type AccountChange =
  | { readonly kind: 'join'; readonly secretId: GatewaySecretId; readonly accountId: GatewayAccountId }
  | { readonly kind: 'merge'; readonly from: GatewayAccountId; readonly into: GatewayAccountId };

/**
 * What follows when a gateway shows `reader` a charge that was sent with `sender`: both are secrets of one account. Null if
 * that is recorded already. A claimed secret never takes others with it, because its own place is not certain.
 */
export function accountChangeAfterSeen(sender: AccountSecret, reader: AccountSecret): AccountChange | null {
  if (sender.id === reader.id) return null;
  const [senderProven, readerProven] = [isProven(sender), isProven(reader)];
  if (senderProven && readerProven) {
    if (sender.accountId === reader.accountId) return null;
    return { kind: 'merge', from: reader.accountId, into: sender.accountId };
  }
  if (senderProven) return { kind: 'join', secretId: reader.id, accountId: sender.accountId };
  return readerProven ? { kind: 'join', secretId: sender.id, accountId: reader.accountId } : null;
}
