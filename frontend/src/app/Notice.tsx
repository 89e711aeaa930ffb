import { troubleOf } from '../backend/client';
import { useAcceptNotice } from '../backend/queries';
import { t } from '../lib/texts';
import { Button, Card, Trouble } from '../ui/basics';
import css from './app.module.css';

/** Notice says what the program is for; nothing else is shown to a reader who has not accepted it. */
export const Notice = ({ reader }: { reader: string }) => {
  const accept = useAcceptNotice();
  return (
    <main className={css.notice} data-testid="notice">
      <Card>
        <h1>
          {t.name} · {t.notice.title}
        </h1>
        <ul>
          <li>{t.notice.research}</li>
          <li>{t.notice.device}</li>
          <li>{t.notice.diagnosis}</li>
        </ul>
        <p>{t.notice.more}</p>
        {accept.isError && <Trouble title={t.fault.title} text={troubleOf(accept.error).text || t.fault.unknown} />}
        <div style={{ display: 'flex', alignItems: 'center', gap: 14 }}>
          <Button look="primary" autoFocus data-testid="accept-notice" onClick={() => accept.mutate()}>
            {t.notice.accept}
          </Button>
          {reader && <span style={{ color: 'var(--soft)' }}>{t.reading.reader(reader)}</span>}
        </div>
      </Card>
    </main>
  );
};
