import { useState } from 'react';
import { t } from '../../lib/texts';
import { Button } from '../../ui/basics';
import { Dialog } from '../../ui/Dialog';

/** CorrectDialog asks why a signed reading is corrected: without a reason nothing changes. */
export const CorrectDialog = ({
  open,
  onClose,
  onReason,
}: {
  open: boolean;
  onClose: () => void;
  onReason: (reason: string) => void;
}) => {
  const [why, setWhy] = useState('');
  return (
    <Dialog opened={open} onClose={onClose} title={t.reading.correctTitle}>
      <form
        style={{ display: 'grid', gap: 12 }}
        onSubmit={(e) => {
          e.preventDefault();
          if (why.trim() === '') return;
          onReason(why.trim());
          setWhy('');
        }}
      >
        <label style={{ display: 'grid', gap: 4 }}>
          {t.reading.correctWhy}
          <textarea
            data-autofocus
            data-testid="correct-reason"
            rows={3}
            value={why}
            onChange={(e) => setWhy(e.target.value)}
            style={{
              font: 'inherit',
              color: 'inherit',
              background: 'var(--paper)',
              border: '1px solid var(--rule)',
              borderRadius: 6,
              padding: 8,
            }}
          />
        </label>
        <Button type="submit" look="primary" disabled={why.trim() === ''} data-testid="correct-start">
          {t.reading.correctStart}
        </Button>
      </form>
    </Dialog>
  );
};
