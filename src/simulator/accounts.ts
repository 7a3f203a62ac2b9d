import { createHash } from 'node:crypto';

/** What a company has set up in its account at the gateways; what is left out is the simulator's own. */
export interface AccountSettings {
  /** Callbacks go to `<callbackUrl>/webhooks/<gateway>`; null: none are sent. */
  readonly callbackUrl?: string | null | undefined;
  /** Null: callbacks are not signed. */
  readonly webhookSecret?: string | null | undefined;
}

/** Names an account by its secret without telling it. */
export function accountOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 32);
}

/** Settings by account, in memory: like scripts, they end with the process. */
export class Accounts {
  private readonly settings = new Map<string, AccountSettings>();

  setUp(secret: string, settings: AccountSettings): void {
    this.settings.set(accountOf(secret), settings);
  }

  of(account: string): AccountSettings {
    return this.settings.get(account) ?? {};
  }
}
