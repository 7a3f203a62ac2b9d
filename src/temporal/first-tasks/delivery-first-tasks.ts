import type { DeliveryInput, DeliveryStep } from '../../../workflows/messages';
import { afterFirstDelivery, FIRST_DELIVERY } from '../../../workflows/webhooks/first-task';
import type { webhookDelivery } from '../../../workflows/webhooks/webhook-delivery';
import { deliveryStartOptions, type DeliveryRef, type DeliveryWorkflows } from '../webhook-deliveries';
import type { FirstTasks } from './first-tasks';

/** Temporal's default: an attempt takes at most as long. */
const TASK_TIMEOUT_MS = 10_000;

/** Starts workflows of webhook deliveries whose first attempts are made in this process, while it has room for them. */
export class DeliveryFirstTasks implements Pick<DeliveryWorkflows, 'ensureStarted'> {
  /**
   * @param mostAtOnce more first attempts at the same time are left to the workers
   * @param workers starts those
   */
  constructor(
    private readonly tasks: FirstTasks,
    private readonly taskQueue: string,
    private readonly deliver: (input: DeliveryInput) => Promise<DeliveryStep | null>,
    private readonly mostAtOnce: number,
    private readonly workers: Pick<DeliveryWorkflows, 'ensureStarted'>,
  ) {}

  async ensureStarted(delivery: DeliveryRef): Promise<void> {
    if (this.tasks.size >= this.mostAtOnce) return this.workers.ensureStarted(delivery);
    const options = deliveryStartOptions(this.taskQueue, delivery);
    const [input] = options.args;
    await this.tasks.start<typeof webhookDelivery>(
      'webhookDelivery',
      { ...options, workflowTaskTimeout: TASK_TIMEOUT_MS },
      {
        activity: 'deliverLocally',
        summary: FIRST_DELIVERY,
        run: async () => {
          const step = await this.deliver(input);
          return { result: step, after: () => afterFirstDelivery(input, step) };
        },
      },
    );
  }
}
