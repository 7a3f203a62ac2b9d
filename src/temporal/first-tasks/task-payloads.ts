import {
  defaultPayloadConverter,
  type LoadedDataConverter,
  type Payload,
  type SearchAttributeUpdatePair,
  type WorkflowSerializationContext,
} from '@temporalio/common';
import { encodeUnifiedSearchAttributes } from '@temporalio/common/lib/converter/payload-search-attributes';
import {
  decodeArrayFromPayloads,
  encodeToPayloadsWithContext,
  encodeUserMetadata,
} from '@temporalio/common/lib/internal-non-workflow';
import { msToTs } from '@temporalio/common/lib/time';
import { temporal } from '@temporalio/proto';
import type { AfterTask } from '../../../workflows/shared/first-task';
import type { TaskNews } from './task-news';
import { acceptance, completion, messageCommand } from './update-messages';
import type { Command, Message } from './workflow-task';

/** What completes a task. */
export interface TaskAnswer {
  readonly commands: readonly Command[];
  readonly messages: readonly Message[];
}

/** A local activity that has ended. Instants are epoch ms. */
export interface EndedActivity {
  readonly type: string;
  readonly summary: string;
  readonly result: unknown;
  readonly scheduledAt: number;
  readonly endedAt: number;
}

const { CommandType } = temporal.api.enums.v1;
/** The name and the fields by which Temporal's SDKs find the result of a local activity when they replay a history. */
const MARKER = 'core_local_activity';
/** Of the first timer of a run. */
const TIMER_ID = '1';

/** Makes the commands of one workflow's task, which the SDK's worker would make of the workflow's code. */
export class TaskPayloads {
  constructor(
    private readonly converter: LoadedDataConverter,
    private readonly context: WorkflowSerializationContext,
  ) {}

  /** The result of the local activity in the first task of a run, and what the workflow does next. */
  async first(activity: EndedActivity, after: AfterTask): Promise<TaskAnswer> {
    return { commands: await this.commands(activity, 1, after), messages: [] };
  }

  /** The same in a task that has brought news to a run, which waited with a timer after its first task. */
  async later(
    activity: EndedActivity,
    after: AfterTask,
    { news, waitSummary }: { readonly news: TaskNews; readonly waitSummary: string },
  ): Promise<TaskAnswer> {
    const timer: Command = {
      commandType: CommandType.COMMAND_TYPE_CANCEL_TIMER,
      cancelTimerCommandAttributes: { timerId: TIMER_ID },
      userMetadata: await this.describe(waitSummary),
    };
    const commands = await this.commands(activity, 2, after);
    if (news.kind === 'signals') return { commands: [timer, ...commands], messages: [] };
    const accepted = acceptance(news);
    if (after.kind !== 'completed')
      return { commands: [messageCommand(accepted), timer, ...commands], messages: [accepted] };
    const completed = completion(news, await this.encode(undefined));
    const end = commands.slice(-1);
    return {
      commands: [
        messageCommand(accepted),
        timer,
        ...commands.slice(0, -1),
        messageCommand(completed),
        ...end,
      ],
      messages: [accepted, completed],
    };
  }

  /** The arguments of an update. */
  async decode(payloads: readonly Payload[] | null | undefined): Promise<unknown[]> {
    return decodeArrayFromPayloads(this.converter, [...(payloads ?? [])], this.context);
  }

  /** @param number of the local activity in its run, from 1 */
  private async commands(activity: EndedActivity, number: number, after: AfterTask): Promise<Command[]> {
    const marker = await this.marker(activity, number);
    switch (after.kind) {
      case 'handed_over':
        return [marker];
      case 'waiting':
        return [marker, ...upsert(after.attributes), await this.timer(after.timer)];
      case 'completed':
        return [marker, ...upsert(after.attributes), await this.completion(after.result)];
    }
  }

  private async marker(
    { type, summary, result, scheduledAt, endedAt }: EndedActivity,
    number: number,
  ): Promise<Command> {
    const data = defaultPayloadConverter.toPayload({
      ...{ seq: number, attempt: 1, activity_id: String(number), backoff: null },
      activity_type: type,
      original_schedule_time: timestamp(scheduledAt),
      complete_time: timestamp(endedAt),
    });
    return {
      commandType: CommandType.COMMAND_TYPE_RECORD_MARKER,
      recordMarkerCommandAttributes: {
        markerName: MARKER,
        details: { data: { payloads: [data] }, result: { payloads: await this.encode(result) } },
      },
      userMetadata: await this.describe(summary),
    };
  }

  private async timer({ ms, summary }: { readonly ms: number; readonly summary: string }): Promise<Command> {
    return {
      commandType: CommandType.COMMAND_TYPE_START_TIMER,
      startTimerCommandAttributes: { timerId: TIMER_ID, startToFireTimeout: msToTs(ms) },
      userMetadata: await this.describe(summary),
    };
  }

  private async completion(result: unknown): Promise<Command> {
    return {
      commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
      completeWorkflowExecutionCommandAttributes: { result: { payloads: await this.encode(result) } },
    };
  }

  private async encode(value: unknown): Promise<Payload[]> {
    return (await encodeToPayloadsWithContext(this.converter, this.context, [value])) ?? [];
  }

  private async describe(summary: string) {
    return (await encodeUserMetadata(this.converter, summary, undefined, this.context)) ?? null;
  }
}

function upsert(attributes: readonly SearchAttributeUpdatePair[]): Command[] {
  if (attributes.length === 0) return [];
  return [
    {
      commandType: CommandType.COMMAND_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES,
      upsertWorkflowSearchAttributesCommandAttributes: {
        searchAttributes: { indexedFields: encodeUnifiedSearchAttributes(undefined, [...attributes]) },
      },
    },
  ];
}

function timestamp(ms: number): { readonly seconds: number; readonly nanos: number } {
  return { seconds: Math.floor(ms / 1_000), nanos: (ms % 1_000) * 1_000_000 };
}
