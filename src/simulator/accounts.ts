import { createHash } from 'node:crypto';

/** The settings of a secret key. An omitted setting falls back to the simulator's. */
export interface AccountSettings {
  /** Callbacks are posted to `<callbackUrl>/webhooks/<gateway>`; null disables them. */
  readonly callbackUrl?: string | null | undefined;
  /** Null sends callbacks unsigned. */
  readonly webhookSecret?: string | null | undefined;
  /** The key shows only charges that keys of the same account created. Without an account it shows every charge. */
  readonly account?: string | undefined;
  /** A revoked key is rejected. */
  readonly revoked?: boolean | undefined;
}

/** Identifies a secret key without revealing it. */
export function accountIdOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 32);
}

/** The settings of secret keys. They are kept in memory, so a restart clears them. */
export class Accounts {
  private readonly settings = new Map<string, AccountSettings>();

  configure(secret: string, settings: AccountSettings): void {
    this.settings.set(accountIdOf(secret), settings);
  }

  /** Gives an account the settings of another one, if that has any. */
  inherit(account: string, from: string): void {
    const settings = this.settings.get(from);
    if (settings !== undefined) this.settings.set(account, settings);
  }

  settingsFor(account: string): AccountSettings {
    return this.settings.get(account) ?? {};
  }

  /** Whether the secret key with id `reader` shows a charge that the key with id `owner` created. */
  canRead(reader: string, owner: string): boolean {
    const { account } = this.settingsFor(reader);
    return account === undefined || account === this.settingsFor(owner).account;
  }

  isRevoked(secret: string): boolean {
    return this.settingsFor(accountIdOf(secret)).revoked === true;
  }
}
