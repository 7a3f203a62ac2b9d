import { escapeMarkdown } from '../../src/domain/shared/markdown';
import type { SubscriptionStep } from './messages';

/** Markdown shown in the Temporal UI: the status, what the workflow waits for, and the latest events. */
export function renderSubscriptionDetails(step: SubscriptionStep, recentEvents: readonly string[]): string {
  return [
    `**Status: ${step.status}**`,
    '',
    `**Next:** ${describeNext(step)}`,
    '',
    '**Recent events:**',
    ...(recentEvents.length === 0 ? ['- none'] : recentEvents.map((event) => `- ${escapeMarkdown(event)}`)),
    ...describeClock(step),
  ].join('\n');
}

function describeNext({ openCharge, due, openCommands }: SubscriptionStep): string {
  const waiting = openCommands.length === 0 ? '' : ` ${openCommands.length} commands wait for it.`;
  if (openCharge !== null) {
    return `the result of ${escapeMarkdown(openCharge.summary)}, workflow \`payment/${openCharge.transactionId}\`.${waiting}`;
  }
  if (due === null) return 'nothing; waits for commands.';
  return `${escapeMarkdown(due.description)}, at ${new Date(due.at).toISOString()}.`;
}

function describeClock({ clock: { target, offsetMs } }: SubscriptionStep): string[] {
  if (target === null) return [];
  const end = new Date(target).toISOString();
  return [
    '',
    `**Test clock:** advances to ${end}, ${Math.round(offsetMs / 1000)} s ahead of the wall clock.`,
  ];
}
