import type { OperationUpdateInput, PaymentStep, ResolveUpdateInput } from '../messages';
import { AwaitedRows } from '../shared/awaited-rows';

/** The committed operations and resolutions of a payment whose callers wait in an update. */
export class AwaitedRequests {
  readonly operations = new AwaitedRows<OperationUpdateInput>();
  readonly resolutions = new AwaitedRows<ResolveUpdateInput>();

  get exist(): boolean {
    return this.operations.size > 0 || this.resolutions.size > 0;
  }

  get ids(): string[] {
    return [...this.operations.ids, ...this.resolutions.ids];
  }

  include(ids: readonly string[]): void {
    this.operations.include(ids);
    this.resolutions.include(ids);
  }

  removeClosed({ openOperations, openResolutions }: PaymentStep): void {
    this.operations.removeClosed(openOperations);
    this.resolutions.removeClosed(openResolutions);
  }
}
