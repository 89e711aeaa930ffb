import { useState } from 'react';
import { t } from '../../lib/texts';
import { Button } from '../../ui/basics';
import { Dialog } from '../../ui/Dialog';

interface Props {
  closed: boolean;
  why: string;
  onClosed: (closed: boolean) => void;
}

/** CloseStudy closes the study, or opens it again, once somebody has said yes to what that means. */
export const CloseStudy = ({ closed, why, onClosed }: Props) => {
  const [asked, setAsked] = useState(false);
  const s = t.study;
  return (
    <>
      <Button why={why} onClick={() => setAsked(true)} data-testid="close-study">
        {closed ? s.reopen : s.close}
      </Button>
      <Dialog opened={asked} onClose={() => setAsked(false)} title={closed ? s.reopenTitle : s.closeTitle}>
        <div style={{ display: 'grid', gap: 14 }}>
          <p>{closed ? s.reopenText : s.closeText}</p>
          <span style={{ display: 'flex', gap: 8, justifyContent: 'flex-end' }}>
            <Button data-autofocus onClick={() => setAsked(false)}>
              {s.cancel}
            </Button>
            <Button
              look="primary"
              data-testid="close-yes"
              onClick={() => {
                setAsked(false);
                onClosed(!closed);
              }}
            >
              {closed ? s.reopenYes : s.closeYes}
            </Button>
          </span>
        </div>
      </Dialog>
    </>
  );
};
