import { CLOSED_CIRCUIT, isOpen, withFailure, type Circuit } from '../../../../src/domain/routing/circuit';
import { isAbsenceProven, inquiryPauseMs } from '../../../../src/domain/payments/inquiry-schedule';

const at = (ms: number): Date => new Date(1_700_000_000_000 + ms);
const fail = (circuit: Circuit, ms: number, opensAtOnce = false): Circuit =>
  withFailure(circuit, { at: at(ms), reason: 'timeout', opensAtOnce, openForMs: 30_000 });

describe('a circuit', () => {
  it('the fifth failure within 30 s opens the circuit for 30 s', () => {
    let circuit = CLOSED_CIRCUIT;
    for (const ms of [0, 1_000, 2_000, 3_000]) circuit = fail(circuit, ms);
    expect(isOpen(circuit, at(3_000))).toBe(false);
    circuit = fail(circuit, 29_999);
    expect(isOpen(circuit, at(29_999))).toBe(true);
    expect(isOpen(circuit, at(59_998))).toBe(true);
    expect(isOpen(circuit, at(59_999))).toBe(false);
  });

  it('five failures over more than 30 s keep the circuit closed', () => {
    let circuit = CLOSED_CIRCUIT;
    for (const ms of [0, 8_000, 16_000, 24_000, 32_000, 40_000]) circuit = fail(circuit, ms);
    expect(isOpen(circuit, at(40_000))).toBe(false);
  });

  it('rejected credentials open the circuit at once', () => {
    expect(isOpen(fail(CLOSED_CIRCUIT, 0, true), at(1))).toBe(true);
  });

  it('the circuit stores at most five failures', () => {
    let circuit = CLOSED_CIRCUIT;
    for (let ms = 0; ms < 100; ms += 1) circuit = fail(circuit, ms);
    expect(circuit.recentFailures.length).toBeLessThanOrEqual(5);
  });
});

describe('the inquiry schedule', () => {
  it('delays grow from 500 ms to at most one minute', () => {
    const pauses = Array.from({ length: 30 }, (_, index) => inquiryPauseMs(index + 1, 0));
    expect(pauses[0]).toBe(500);
    expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
    expect(Math.max(...pauses)).toBe(60_000);
  });

  it('a delay never passes the instant from which absence can be proven', () => {
    expect(inquiryPauseMs(10, 1_234)).toBe(1_234);
    expect(inquiryPauseMs(10, 0)).toBeGreaterThan(1_234);
  });

  it.each([
    [3, 20_000, true],
    [2, 20_000, false],
    [3, 19_999, false],
    [99, 0, false],
  ])('%i "not found" answers %i ms after sending prove absence: %s', (notFoundCount, sinceSentMs, proven) => {
    expect(isAbsenceProven({ notFoundCount, sinceSentMs, absenceProvenAfterMs: 20_000 })).toBe(proven);
  });
});
