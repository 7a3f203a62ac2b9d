import fc from 'fast-check';
import type { Behavior } from '../../../src/simulator/scripts';
import { anyForeignPage } from '../../support/fixtures/foreign-pages';
import { lostAnswers } from '../../support/fixtures/lost-answers';

/** A faulty behavior of a gateway towards this many consecutive requests. */
export interface InjectedGatewayFault {
  readonly behavior: Behavior;
  readonly times: number;
}

const LOST_ANSWERS: readonly Behavior[] = lostAnswers(250);
/** Of all faults. */
const FOREIGN_PAGES_PERCENT = 25;
const OUT_OF_SERVICE: readonly Behavior[] = [{ status: 503 }, { status: 429 }];
const EARLY_CALLBACK: readonly Behavior[] = [{ callback_first: true }];

/** A fault in one of four cases: one of these behaviors, or a page that is not the gateway's own. */
const sometimes = (
  behaviors: readonly Behavior[],
  times: readonly number[],
): fc.Arbitrary<InjectedGatewayFault | null> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record({
        behavior: fc.oneof(
          { weight: 100 - FOREIGN_PAGES_PERCENT, arbitrary: fc.constantFrom(...behaviors) },
          { weight: FOREIGN_PAGES_PERCENT, arbitrary: anyForeignPage },
        ),
        times: fc.constantFrom(...times),
      }),
    },
  );

const declines = (...codes: string[]): Behavior[] => codes.map((decline) => ({ decline }));

export const chargeFault = sometimes(
  [...LOST_ANSWERS, ...OUT_OF_SERVICE, ...EARLY_CALLBACK, ...declines('05', '51', '91')],
  [1, 1, 2],
);

/** For a capture, cancel or refund. */
export const operationFault = sometimes(
  [...LOST_ANSWERS, ...OUT_OF_SERVICE, ...EARLY_CALLBACK, ...declines('51', '91')],
  [1],
);

/** Whether the payment or operation may be declined because of the fault; otherwise the fault only delays it. */
export function mayDecline(fault: InjectedGatewayFault | null): boolean {
  if (fault === null) return false;
  const { behavior, times } = fault;
  return times > 1 || behavior.decline !== undefined || behavior.status !== undefined;
}

/** What the gateways are told to do wrong in a purchase, in words. */
export function behaviorsOf(planned: {
  readonly chargeFault: InjectedGatewayFault | null;
  readonly operationFaults: ReadonlyArray<InjectedGatewayFault | null>;
}): string[] {
  return [planned.chargeFault, ...planned.operationFaults].flatMap((fault) =>
    fault === null ? [] : describeBehavior(fault.behavior),
  );
}

function describeBehavior({ html, body = 'html', ...behavior }: Behavior): string {
  if (html !== undefined) return `foreign ${Math.floor(html / 100)}xx (${body})`;
  const [name, value] = Object.entries(behavior)[0] ?? ['none'];
  return name === 'decline' || name === 'status' || name === 'drop' || name === 'hang'
    ? `${name} ${String(value)}`
    : name;
}
