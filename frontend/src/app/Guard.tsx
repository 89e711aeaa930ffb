import { Component, type ReactNode } from 'react';
import { t } from '../lib/texts';
import { Button, Trouble } from '../ui/basics';
import { go } from './route';

/** Guard keeps a screen that fails from taking the rest with it. */
export class Guard extends Component<{ children: ReactNode }, { failed: string }> {
  override state = { failed: '' };

  static getDerivedStateFromError(reason: unknown) {
    return { failed: reason instanceof Error ? reason.message : String(reason) };
  }

  override render() {
    if (this.state.failed === '') return this.props.children;
    return (
      <div style={{ padding: 24 }}>
        <Trouble title={t.fault.screen} text={this.state.failed}>
          <Button onClick={() => this.setState({ failed: '' })}>{t.fault.again}</Button>
          <Button
            onClick={() => {
              go({ at: 'library' });
              this.setState({ failed: '' });
            }}
          >
            {t.nav.library}
          </Button>
        </Trouble>
      </div>
    );
  }
}
