import { troubleOf } from '../../backend/client';
import { useGoing, type useHandBack, useOpened, type useOpenWork } from '../../backend/packaging';
import { t } from '../../lib/texts';
import { Button, Card, Trouble } from '../../ui/basics';
import { PassphraseDialog } from '../../ui/PassphraseDialog';
import css from './library.module.css';

const p = t.packages;

type Work = ReturnType<typeof useOpenWork>;

/** OpenedWork asks for the passphrase of a package of work, and says what it brought and whose it is. */
export const OpenedWork = ({ work }: { work: Work }) => {
  const { going, stop } = useGoing(work.busy);
  const opened = useOpened();
  return (
    <>
      {work.fault && (
        <Trouble title={t.fault.title} text={work.fault}>
          <Button onClick={work.forget}>{t.fault.close}</Button>
        </Trouble>
      )}
      {opened.got && (
        <Card className={css.line2}>
          <div data-testid="opened-work" role="status" className={css.said}>
            {p.opened(opened.got.reader, opened.got.new, opened.got.kept)}
            {opened.got.first && <p className={css.soft}>{p.theirKey(opened.got.fingerprint)}</p>}
          </div>
          <Button look="quiet" style={{ marginLeft: 'auto' }} onClick={opened.forget}>
            {t.fault.close}
          </Button>
        </Card>
      )}
      <PassphraseDialog
        opened={work.asked}
        title={p.openTitle}
        note={p.lockedNote}
        action={p.open}
        why={work.why}
        busy={work.busy}
        onGive={work.give}
        going={going}
        onClose={() => {
          stop();
          work.stop();
        }}
      />
    </>
  );
};

/** HandBack packs what was said here for whoever sent the work. */
export const HandBack = ({ act }: { act: ReturnType<typeof useHandBack> }) => (
  <Button why={act.isPending ? p.working : ''} onClick={() => act.mutate()} data-testid="hand-back">
    {p.handBack}
  </Button>
);

/** HandedBack says what was packed, and what to do with it. */
export const HandedBack = ({ act }: { act: ReturnType<typeof useHandBack> }) => (
  <>
    {act.isError && (
      <Trouble title={t.fault.title} text={troubleOf(act.error).text || t.fault.unknown}>
        <Button onClick={act.reset}>{t.fault.close}</Button>
      </Trouble>
    )}
    {act.data?.path && (
      <Card className={css.line2}>
        <div data-testid="handed-back" role="status" className={css.said}>
          {p.handedBack(act.data.path, act.data.events)}
          <p className={css.soft}>{p.yourKey(act.data.fingerprint)}</p>
        </div>
        <Button look="quiet" style={{ marginLeft: 'auto' }} onClick={act.reset}>
          {t.fault.close}
        </Button>
      </Card>
    )}
  </>
);
