import type { EngineApi } from './engine-api';

interface OutboxMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The mails to the address, newest first. */
export async function mailsTo({ baseUrl }: Pick<EngineApi, 'baseUrl'>, email: string): Promise<OutboxMail[]> {
  const response = await fetch(`${baseUrl}/_sandbox/outbox`);
  const { data } = (await response.json()) as { data: OutboxMail[] };
  return data.filter(({ to }) => to === email);
}
