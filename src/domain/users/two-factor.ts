/** Codes, or passwords of an enrolment, that a user may try in `OTP_WINDOW_SECONDS`, in whatever process. */
export const MAX_OTP_ATTEMPTS = 5;
export const OTP_WINDOW_SECONDS = 900;
export const RECOVERY_CODES = 10;

export interface TwoFactorState {
  /** Null if it is off. */
  readonly enabledAt: Date | null;
  readonly recoveryCodesLeft: number;
  /** Whether the company requires it of all its users. */
  readonly required: boolean;
}
