import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { PIX_DRIVER, pixSettings } from '../../support/stories/pix-return';

/** What the stories of the support runbook need besides the usual servers: a bank that speaks the Pix API. */
export interface StoryServers {
  readonly bank: SimulatorProcess;
  /** Of the engine. */
  readonly settings: Record<string, string>;
  stop(): Promise<void>;
}

export async function startStoryServers(): Promise<StoryServers> {
  const bank = await startSimulatorProcess({ settings: PIX_DRIVER });
  return { bank, settings: pixSettings(bank), stop: () => bank.dispose() };
}
