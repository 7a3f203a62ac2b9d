import { toString as drawQrCode } from 'qrcode';
import type { TwoFactor } from '../../../application/users/two-factor';
import { companyActorOf } from '../../../domain/companies/audit-actor';
import type { RouteHandlers } from '../../server/route';

export interface TwoFactorRouteDeps {
  readonly twoFactor: TwoFactor;
}

type TwoFactorRouteId =
  | 'getTwoFactor'
  | 'startTwoFactor'
  | 'confirmTwoFactor'
  | 'disableTwoFactor'
  | 'renewRecoveryCodes'
  | 'resetTwoFactor'
  | 'getCompanySecurity'
  | 'updateCompanySecurity';

/** The second factor of users, and whether a company requires it. */
export function twoFactorRoutes({ twoFactor }: TwoFactorRouteDeps): Pick<RouteHandlers, TwoFactorRouteId> {
  return {
    getTwoFactor: async ({ user }) => {
      const { enabledAt, recoveryCodesLeft, required } = await twoFactor.state(user.id);
      const data = {
        enabled_at: enabledAt?.toISOString() ?? null,
        recovery_codes_left: recoveryCodesLeft,
        required,
      };
      return { status: 200, body: { data } };
    },

    startTwoFactor: async ({ user, body }) => {
      const { secret, uri } = await twoFactor.start(user, body.password);
      const svg = await drawQrCode(uri, { type: 'svg', errorCorrectionLevel: 'M' });
      return { status: 200, body: { data: { secret, uri, qr_code_svg: svg } } };
    },

    confirmTwoFactor: async (request) => {
      const codes = await twoFactor.confirm(companyActorOf(request), request.body.otp);
      return { status: 200, body: { data: { recovery_codes: codes } } };
    },

    disableTwoFactor: async (request) => {
      await twoFactor.disable(companyActorOf(request), request.body.otp);
      return { status: 204 };
    },

    renewRecoveryCodes: async (request) => {
      const codes = await twoFactor.renewRecoveryCodes(companyActorOf(request), request.body.otp);
      return { status: 200, body: { data: { recovery_codes: codes } } };
    },

    resetTwoFactor: async (request) => {
      await twoFactor.reset(companyActorOf(request), request.company, Number(request.params.id));
      return { status: 204 };
    },

    getCompanySecurity: async ({ user }) => {
      const required = await twoFactor.isRequired(user.companyId);
      return { status: 200, body: { data: { require_two_factor: required } } };
    },

    updateCompanySecurity: async (request) => {
      const { require_two_factor: required } = request.body;
      await twoFactor.require(companyActorOf(request), request.company, required);
      return { status: 200, body: { data: { require_two_factor: required } } };
    },
  };
}
