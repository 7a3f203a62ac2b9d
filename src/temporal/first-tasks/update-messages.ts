import type { Payload } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { TaskNews } from './task-news';
import type { Command, Message } from './workflow-task';

type UpdateNews = Extract<TaskNews, { kind: 'update' }>;

const { Acceptance, Response } = temporal.api.update.v1;
const { CommandType } = temporal.api.enums.v1;
const TYPE = 'type.googleapis.com/temporal.api.update.v1';

/** By these messages a workflow answers an update; Temporal's SDKs send the same. */
export function acceptance({ message, request }: UpdateNews): Message {
  const value = Acceptance.encode({
    acceptedRequestMessageId: message.id ?? null,
    acceptedRequestSequencingEventId: message.eventId ?? null,
    acceptedRequest: request,
  }).finish();
  return answer(message, 'accept', { type_url: `${TYPE}.Acceptance`, value });
}

export function completion({ message, request }: UpdateNews, result: Payload[]): Message {
  const outcome = { success: { payloads: result } };
  const value = Response.encode({ meta: request.meta ?? null, outcome }).finish();
  return answer(message, 'complete', { type_url: `${TYPE}.Response`, value });
}

/** Says where among the commands the message belongs. */
export function messageCommand({ id }: Message): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_PROTOCOL_MESSAGE,
    protocolMessageCommandAttributes: { messageId: id ?? null },
  };
}

function answer(
  { id, protocolInstanceId }: Message,
  name: 'accept' | 'complete',
  body: NonNullable<Message['body']>,
): Message {
  return { id: `${id ?? ''}/${name}`, protocolInstanceId: protocolInstanceId ?? null, body };
}
