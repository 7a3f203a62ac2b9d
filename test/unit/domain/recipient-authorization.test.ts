import {
  CONSENT_LIFETIME_MS,
  consentStep,
  isRenewalDue,
  renewalPauseMs,
  type Consent,
} from '../../../src/domain/routing/recipient-authorization';

const NOW = new Date('2026-06-15T12:00:00Z');
const at = (ms: number): Date => new Date(NOW.getTime() + ms);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const IN_FLIGHT = 12_000;
const waiting: Consent = { expiresAt: at(1), receivedAt: null, sentAt: null };

describe('the consent of a recipient', () => {
  it.each([
    ['there is no link yet', { ...waiting, expiresAt: null }, 'open'],
    ['its link is valid', waiting, 'wait'],
    ['its link has expired', { ...waiting, expiresAt: NOW }, 'open'],
    [
      'its code has come, also if the link has expired',
      { ...waiting, expiresAt: at(-1), receivedAt: at(-1) },
      'redeem',
    ],
    ['its code is too old for the gateway', { ...waiting, receivedAt: at(-10 * MINUTE) }, 'open'],
    ['its code is being sent', { ...waiting, receivedAt: at(-IN_FLIGHT), sentAt: at(1 - IN_FLIGHT) }, 'wait'],
    [
      'the answer to its code is lost',
      { ...waiting, receivedAt: at(-IN_FLIGHT), sentAt: at(-IN_FLIGHT) },
      'open',
    ],
  ] as const)('when %s, its next step is right', (_, consent, step) => {
    expect(consentStep(consent, NOW, IN_FLIGHT)).toBe(step);
  });

  it('stays possible by one link for a week', () => {
    expect(CONSENT_LIFETIME_MS).toBe(7 * DAY);
  });
});

describe('the secret of a recipient', () => {
  it.each([
    [180, false, 30],
    [61, false, 1],
    [60, true, 0.25],
    [1, true, 0.25],
    [-29, true, 0.25],
    [-31, true, null],
  ])(
    'that ends in %d days is due for renewal: %s, and is looked at again after %s days',
    (days, due, pause) => {
      expect(isRenewalDue(at(days * DAY), NOW)).toBe(due);
      expect(renewalPauseMs(at(days * DAY), NOW)).toBe(pause === null ? null : pause * DAY);
    },
  );
});
