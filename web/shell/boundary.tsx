import { Component, type ReactNode } from 'react';

interface Props {
  fallback: (retry: () => void, error: unknown) => ReactNode;
  children: ReactNode;
  /** Another value tries again. */ reset?: unknown;
}
interface State {
  failed: boolean;
  error: unknown;
  reset: unknown;
}

/** Keeps the fault of one part to that part: the rest of the page goes on. */
export class Boundary extends Component<Props, State> {
  override state: State = { failed: false, error: null, reset: this.props.reset };
  static getDerivedStateFromError(error: unknown): Pick<State, 'failed' | 'error'> {
    return { failed: true, error };
  }
  static getDerivedStateFromProps(props: Props, state: State): State | null {
    return props.reset === state.reset ? null : { failed: false, error: null, reset: props.reset };
  }
  override render(): ReactNode {
    return this.state.failed
      ? this.props.fallback(() => this.setState({ failed: false, error: null }), this.state.error)
      : this.props.children;
  }
}
