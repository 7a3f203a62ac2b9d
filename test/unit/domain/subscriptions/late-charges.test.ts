import { timeBeforeDue } from '../../../../src/domain/subscriptions/command-time';
import {
  applyCommand,
  type SubscriptionCommand,
} from '../../../../src/domain/subscriptions/subscription-commands';
import { nextDue } from '../../../../src/domain/subscriptions/subscription-due';
import {
  CARD,
  CREATED_AT,
  GOLD,
  HARD_DECLINE,
  PAID,
  SOFT_DECLINE,
  SubscriptionScenario,
  UNANSWERED,
} from './subscription-scenario';

/* Charges that begin later than they were due or requested, because workers were away. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MASTERCARD = { ...CARD, brand: 'mastercard' };
const NEW_CARD = { kind: 'change_card', card: { ...CARD, fingerprint: 'second' } } as const;
const WEEKLY = { ...GOLD, interval: 'weekly' } as const;
const DIAMOND = { ...GOLD, planId: 'diamond', amountCents: 30_000 };

/** As many declines by other subscriptions as Mastercard allows in a day. */
function declinedOften(scenario: SubscriptionScenario, at: Date): void {
  const declined = { at, amountCents: 5_000, code: '51', adviceCode: null };
  scenario.history = { ...scenario.history, declines: Array.from({ length: 6 }, () => declined) };
}

function dueAt({ state }: SubscriptionScenario): Date {
  const due = nextDue(state);
  if (due === null) throw new Error('nothing is due');
  return due.at;
}

/** The result of a command that was stored a minute before the next event was due, and is executed at `now`. */
function executeAway({ state, history }: SubscriptionScenario, command: SubscriptionCommand, now: Date) {
  const due = nextDue(state);
  if (due === null) throw new Error('nothing is due');
  const at = timeBeforeDue(state, due, new Date(+due.at - MINUTE_MS));
  if (at === null) throw new Error('the command comes after the event');
  return applyCommand(state, command, at, history, now);
}

describe('a late charge counts for the limits of the card’s network when it begins', () => {
  it.each(['renewal', 'retry'])('as a %s, which waits for the declines of the meantime', (kind) => {
    const scenario = new SubscriptionScenario({ card: MASTERCARD, plan: WEEKLY }).charge(PAID);
    if (kind === 'retry') scenario.charge(SOFT_DECLINE);
    const now = new Date(+dueAt(scenario) + 2 * DAY_MS);
    const declinedAt = new Date(+now - MINUTE_MS);
    declinedOften(scenario, declinedAt);
    scenario.processLate(now);
    expect(scenario.state).toMatchObject({
      openCharge: null,
      openCycle: { nextRetryAt: new Date(+declinedAt + DAY_MS) },
    });
  });

  it('as an upgrade, a retry and a card change that were requested before, which are refused', () => {
    const scenario = new SubscriptionScenario({ card: MASTERCARD }).charge(PAID, SOFT_DECLINE);
    const now = new Date(+dueAt(scenario) + 2 * DAY_MS);
    declinedOften(scenario, new Date(+now - MINUTE_MS));
    const commands: SubscriptionCommand[] = [
      { kind: 'change_plan', to: DIAMOND, immediately: null },
      { kind: 'retry' },
      { kind: 'change_card', card: MASTERCARD },
    ];
    for (const command of commands) {
      const refused = { applied: false, reason: expect.stringContaining('declined too often') };
      expect(executeAway(scenario, command, now)).toMatchObject(refused);
    }
  });

  it('and its own decline is as old as its beginning', () => {
    const renewal = new SubscriptionScenario().charge(PAID);
    const now = new Date(+dueAt(renewal) + 2 * DAY_MS);
    expect(renewal.processLate(now).state).toMatchObject({
      openCharge: { kind: 'cycle' },
      lastTransitionAt: now,
    });

    const upgrade = new SubscriptionScenario().charge(PAID);
    const result = executeAway(upgrade, { kind: 'change_plan', to: DIAMOND, immediately: null }, now);
    expect(result).toMatchObject({ applied: true, transition: { state: { lastTransitionAt: now } } });
  });

  it('and its hold begins with it', () => {
    const scenario = new SubscriptionScenario().charge(PAID);
    const now = new Date(+dueAt(scenario) + 2 * DAY_MS);
    scenario.processLate(now).settle(UNANSWERED, new Date(+now + MINUTE_MS));
    const nextProbeAt = new Date(+now + 15 * MINUTE_MS);
    expect(scenario.state.openCycle?.hold).toMatchObject({ since: now, nextProbeAt });
  });
});

describe('a subscription that is canceled at the end of its period', () => {
  const canceled = (result: typeof SOFT_DECLINE) => {
    const scenario = new SubscriptionScenario({ plan: WEEKLY }).charge(PAID, result);
    return scenario.apply({ kind: 'cancel', atPeriodEnd: true });
  };

  it.each([
    ['retry', SOFT_DECLINE],
    ['probe', UNANSWERED],
  ])('is charged for no later period by a %s that is processed after that end', (_, result) => {
    for (const lateMs of [0, HOUR_MS]) {
      const scenario = canceled(result);
      const end = scenario.state.period?.end ?? CREATED_AT;
      scenario.processLate(new Date(+end + lateMs));
      expect(scenario.state).toMatchObject({
        ...{ status: 'canceled', cancelReason: 'period_end', canceledAt: end },
        ...{ openCharge: null, openCycle: null },
      });
    }
  });

  it.each<SubscriptionCommand>([{ kind: 'retry' }, NEW_CARD])(
    'is not charged by a %j that was requested before that end and is executed after it',
    (command) => {
      const scenario = canceled(SOFT_DECLINE);
      const end = scenario.state.period?.end ?? CREATED_AT;
      const execute = (now: Date) => executeAway(scenario, command, now);
      const refused = { applied: false, subject: 'state', reason: expect.stringContaining('period is over') };
      expect(execute(end)).toMatchObject(refused);
      expect(execute(new Date(+end - 1))).toMatchObject({ applied: true });
    },
  );
});

describe('a first charge that was declined', () => {
  it.each<SubscriptionCommand>([{ kind: 'retry' }, NEW_CARD])(
    'is never replaced by a dearer one: %j is refused once the short first period has ended',
    (command) => {
      const scenario = new SubscriptionScenario({ billingDay: 1 });
      scenario.charge(command.kind === 'retry' ? SOFT_DECLINE : HARD_DECLINE);
      expect(scenario.state.openCycle?.chargeCents).toBe(323);
      const end = scenario.state.period?.end ?? CREATED_AT;
      const refused = { applied: false, reason: expect.stringContaining('costs something else') };
      expect(executeAway(scenario, command, end)).toMatchObject(refused);
      expect(executeAway(scenario, command, new Date(+end - 1))).toMatchObject({ applied: true });
    },
  );

  it('is charged late for a period of the same price', () => {
    const scenario = new SubscriptionScenario({ plan: WEEKLY }).charge(HARD_DECLINE);
    const now = new Date(+CREATED_AT + 10 * DAY_MS);
    const result = executeAway(scenario, NEW_CARD, now);
    expect(result).toMatchObject({
      applied: true,
      transition: { state: { period: { start: now }, openCycle: { chargeCents: 10_000 } } },
    });
  });
});
