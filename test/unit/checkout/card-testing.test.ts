import { ApiError } from '../../../src/domain/shared/errors';
import {
  CardTestingGuard,
  type CardTry,
  type TryOutcome,
} from '../../../src/application/checkout/card-testing-guard';

const LIMITS = { link: 6, address: 4, bin: 5, card: 2 };
const HOUR_MS = 3_600_000;

let now: number;
let guard: CardTestingGuard;
let cards: number;
beforeEach(() => {
  now = Date.parse('2026-03-31T12:00:00Z');
  guard = new CardTestingGuard(LIMITS, () => new Date(now));
  cards = 0;
});

/** A try in which everything is new. */
function newTry(change: Partial<CardTry> = {}): CardTry {
  cards += 1;
  const [address, fingerprint, bin] = [`192.0.2.${cards}`, `card-${cards}`, String(400_000 + cards)];
  return { companyId: 1, linkId: cards, address, fingerprint, bin, ...change };
}
const run = (cardTry: CardTry, outcome: TryOutcome) =>
  guard.run(
    cardTry,
    () => Promise.resolve(outcome),
    (answer) => answer,
  );
const isLimited = (cardTry: CardTry) =>
  run(cardTry, 'other').then(
    () => false,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'rate_limited', message: 'Too many attempts. Try again later.' });
      return true;
    },
  );

it.each([
  ['link', { linkId: 7 }],
  ['address', { address: '198.51.100.1' }],
  ['bin', { bin: '411111' }],
  ['card', { fingerprint: 'the-card' }],
] as const)('declined cards of one %s are limited, whatever else changes', async (count, same) => {
  for (let times = 0; times < LIMITS[count]; times += 1) {
    expect(await isLimited(newTry(same))).toBe(false);
    await run(newTry(same), 'declined');
  }
  expect(await isLimited(newTry(same))).toBe(true);
  expect(await isLimited(newTry())).toBe(false);
  expect(await isLimited(newTry({ ...same, companyId: 2 }))).toBe(false);
});

it('a link, address or BIN most of whose cards are approved is not limited, but a single card is', async () => {
  const same = { linkId: 7, address: '198.51.100.1', bin: '411111' };
  for (let times = 0; times < 10; times += 1) {
    await run(newTry(same), 'approved');
    await run(newTry(same), 'declined');
  }
  expect(await isLimited(newTry(same))).toBe(false);
  await run(newTry(same), 'declined');
  expect(await isLimited(newTry(same))).toBe(true);
  const card = { fingerprint: 'the-card' };
  for (const outcome of ['approved', 'approved', 'declined', 'declined'] as const)
    await run(newTry(card), outcome);
  expect(await isLimited(newTry(card))).toBe(true);
});

it('a card that the issuer declines when it is verified counts as declined', async () => {
  const same = newTry({ fingerprint: 'the-card' });
  for (let times = 0; times < LIMITS.card; times += 1) {
    const failing = guard.run(
      same,
      () => Promise.reject(new ApiError('card_declined', 'The card was declined.')),
      () => 'other',
    );
    await expect(failing).rejects.toMatchObject({ code: 'card_declined' });
  }
  expect(await isLimited(same)).toBe(true);
});

it('what is not declined, such as a card that was never charged, counts for nothing', async () => {
  const same = newTry();
  for (let times = 0; times < 20; times += 1) {
    await run(same, 'other');
    const failing = guard.run(
      same,
      () => Promise.reject(new Error('refused')),
      () => 'declined',
    );
    await expect(failing).rejects.toThrow('refused');
  }
  expect(await isLimited(same)).toBe(false);
});

it('the same card is not tried more often at the same time than it may be declined', async () => {
  const same = newTry();
  let finish = (_outcome: TryOutcome): void => undefined;
  const outcome = new Promise<TryOutcome>((resolve) => {
    finish = resolve;
  });
  const underWay = [1, 2].map(() =>
    guard.run(
      same,
      () => outcome,
      (answer) => answer,
    ),
  );
  expect(await isLimited(same)).toBe(true);
  finish('approved');
  await Promise.all(underWay);
  expect(await isLimited(same)).toBe(false);
});

it('a limit ends an hour after its first try, and says when', async () => {
  const same = newTry();
  await run(same, 'declined');
  now += HOUR_MS / 2;
  await run(same, 'declined');
  await expect(run(same, 'other')).rejects.toMatchObject({ retryAfterSeconds: 1_800 });
  now += HOUR_MS / 2 - 1;
  expect(await isLimited(same)).toBe(true);
  now += 1;
  expect(await isLimited(same)).toBe(false);
});
