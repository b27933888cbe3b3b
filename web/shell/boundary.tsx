import { Component, type ReactNode } from 'react';

interface Props { fallback: (retry: () => void) => ReactNode; children: ReactNode; /** Another value tries again. */ reset?: unknown }

/** Keeps the fault of one part to that part: the rest of the page goes on. */
export class Boundary extends Component<Props, { failed: boolean; reset: unknown }> {
  override state = { failed: false, reset: this.props.reset };
  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }
  static getDerivedStateFromProps(props: Props, state: { failed: boolean; reset: unknown }): { failed: boolean; reset: unknown } | null {
    return props.reset === state.reset ? null : { failed: false, reset: props.reset };
  }
  override render(): ReactNode {
    return this.state.failed ? this.props.fallback(() => this.setState({ failed: false })) : this.props.children;
  }
}
