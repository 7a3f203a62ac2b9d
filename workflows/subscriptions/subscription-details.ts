import type { SubscriptionStep } from '../messages';

/** A subscription's story in Markdown, for people who read the Temporal UI: where it stands, what it waits for, what happened last. */
export function renderSubscriptionDetails(step: SubscriptionStep, recentEvents: readonly string[]): string {
  return [
    `**Status: ${step.status}**`,
    '',
    `**Next:** ${nextInWords(step)}`,
    '',
    '**Lately:**',
    ...(recentEvents.length === 0 ? ['- nothing yet'] : recentEvents.map((told) => `- ${told}`)),
    ...clockInWords(step),
  ].join('\n');
}

function nextInWords({ openCharge, due, openCommands }: SubscriptionStep): string {
  const asked = openCommands.length === 0 ? '' : ` ${openCommands.length} commands wait for that.`;
  if (openCharge !== null) {
    return `the result of ${openCharge.summary}, workflow \`payment/${openCharge.transactionId}\`.${asked}`;
  }
  if (due === null) return 'nothing, until it is asked for.';
  return `${due.what}, at ${new Date(due.at).toISOString()}.`;
}

function clockInWords({ clock: { target, offsetMs } }: SubscriptionStep): string[] {
  if (target === null) return [];
  const goal = new Date(target).toISOString();
  return ['', `**Clock:** moved to ${goal}, ${Math.round(offsetMs / 1000)} s ahead of everybody's.`];
}
