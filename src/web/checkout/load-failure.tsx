import { Component, type ReactNode } from 'react';
import { Ended } from './result/ended';

interface LoadFailureProps {
  readonly children: ReactNode;
}

interface LoadFailureState {
  readonly hasFailed: boolean;
}

/** Offers to load the page again if a step's script did not arrive. The stored session resumes. */
export class LoadFailure extends Component<LoadFailureProps, LoadFailureState> {
  override state: LoadFailureState = { hasFailed: false };

  static getDerivedStateFromError(): LoadFailureState {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return <Ended problem="unavailable" startOver={() => location.reload()} />;
  }
}
