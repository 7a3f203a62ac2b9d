import { ApiError } from '../../domain/shared/errors';
import { OTP_WINDOW_SECONDS } from '../../domain/users/two-factor';
import type { TwoFactorRepository } from '../../persistence/companies/two-factor-repository';
import type { EnvelopeCipher } from '../../security/envelope';
import { encryptionContext } from '../../security/encryption-context';
import { hashRandomToken } from '../../security/random-tokens';
import { matchingStep, normalizedRecoveryCode } from '../../security/totp';

export interface SecondFactorDeps {
  readonly twoFactors: TwoFactorRepository;
  readonly envelope: EnvelopeCipher;
  readonly now: () => Date;
}

/** Six digits are a code of the app; anything else is a recovery code. */
const APP_CODE = /^\d{6}$/;

/** Checks the second factor of users who have proved the first one. */
export class SecondFactor {
  constructor(private readonly deps: SecondFactorDeps) {}

  /**
   * False, and nothing is checked, for a user without a second factor. Each code works once.
   *
   * @throws ApiError `otp_required` without a code or for a wrong one, `rate_limited` after too many
   */
  async check(
    user: { readonly id: number; readonly companyId: number },
    otp: string | undefined,
  ): Promise<boolean> {
    const { twoFactors } = this.deps;
    const stored = await twoFactors.find(user.id);
    if (stored?.isEnabled !== true) return false;
    if (otp === undefined)
      throw new ApiError('otp_required', 'Send the code of your authenticator app as otp.');
    await this.claimAttempt(user.id);
    const code = otp.replaceAll(/\s/g, '');
    const isAccepted = APP_CODE.test(code)
      ? await this.acceptAppCode(user, stored.sealed, code)
      : await twoFactors.useRecoveryCode(user.id, recoveryCodeHash(user.id, code));
    if (!isAccepted) throw wrongCode();
    await twoFactors.clearAttempts(user.id);
    return true;
  }

  /** Of codes and of passwords, before each is checked. @throws ApiError `rate_limited` */
  async claimAttempt(userId: number): Promise<void> {
    if (await this.deps.twoFactors.claimAttempt(userId)) return;
    throw new ApiError('rate_limited', 'Too many attempts. Try again later.', undefined, OTP_WINDOW_SECONDS);
  }

  private async acceptAppCode(
    { id, companyId }: { readonly id: number; readonly companyId: number },
    sealed: Parameters<EnvelopeCipher['open']>[0],
    code: string,
  ): Promise<boolean> {
    const { twoFactors, envelope, now } = this.deps;
    const secret = await envelope.open(sealed, encryptionContext.totpSecret(companyId, id));
    const step = matchingStep(secret, code, now());
    return step !== null && twoFactors.useStep(id, step);
  }
}

function wrongCode(): ApiError {
  return new ApiError('otp_required', 'The code is wrong, too old or was used before.');
}

/** Bound to the user. */
export function recoveryCodeHash(userId: number, code: string): string {
  return hashRandomToken(`${userId}:${normalizedRecoveryCode(code)}`);
}
