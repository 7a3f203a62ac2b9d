import { createHash } from 'node:crypto';

/** A company's settings at the gateways. An omitted setting falls back to the simulator's. */
export interface AccountSettings {
  /** Callbacks are posted to `<callbackUrl>/webhooks/<gateway>`; null disables them. */
  readonly callbackUrl?: string | null | undefined;
  /** Null sends callbacks unsigned. */
  readonly webhookSecret?: string | null | undefined;
}

/** Derives the account id from the secret key without revealing the key. */
export function accountIdOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 32);
}

/** Account settings. They are kept in memory, so a restart clears them. */
export class Accounts {
  private readonly settings = new Map<string, AccountSettings>();

  configure(secret: string, settings: AccountSettings): void {
    this.settings.set(accountIdOf(secret), settings);
  }

  settingsFor(account: string): AccountSettings {
    return this.settings.get(account) ?? {};
  }
}
