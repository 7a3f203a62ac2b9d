import type { temporal } from '@temporalio/proto';

/** A workflow task as Temporal gives it to a process, and what completes it. */
export type WorkflowTask = temporal.api.workflowservice.v1.IPollWorkflowTaskQueueResponse;
export type Command = temporal.api.command.v1.ICommand;
export type Message = temporal.api.protocol.v1.IMessage;
