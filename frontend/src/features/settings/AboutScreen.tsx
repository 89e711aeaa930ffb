import { troubleOf } from '../../backend/client';
import { useAbout, useMadeOf } from '../../backend/queries';
import type { About } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Card, Trouble } from '../../ui/basics';
import css from './settings.module.css';

/** AboutScreen says what this program is, what it is for, and what it is made of. */
export const AboutScreen = () => {
  const about = useAbout();
  const page = useMadeOf();
  const failed = about.error ?? page.error;
  return (
    // The list is longer than the window: it takes the focus to be scrolled by keys.
    <main className={css.about} data-testid="about" tabIndex={0}>
      <div>
        <h1>{t.about.title}</h1>
        <Card className={css.card}>
          <strong>
            {t.notice.research} {t.notice.device} {t.notice.diagnosis}
          </strong>
          <span className={css.soft}>{t.notice.more}</span>
        </Card>
        {failed && <Trouble title={t.fault.title} text={troubleOf(failed).text || t.fault.unknown} />}
        {about.data && (
          <>
            <p>
              {t.about.version} {about.data.version}
              {about.data.commit && ` · ${t.about.commit} ${about.data.commit}`}
            </p>
            <h2>{t.about.licences}</h2>
            <p className={css.soft}>{t.about.codecs}</p>
            <Licences of={t.about.program} list={about.data.licences} />
          </>
        )}
        {page.data && <Licences of={t.about.page} list={page.data} />}
      </div>
    </main>
  );
};

const Licences = ({ of, list }: { of: string; list: About['licences'] }) => (
  <table>
    <caption>{of}</caption>
    <thead>
      <tr>
        <th>{t.about.component}</th>
        <th>{t.about.version}</th>
        <th>{t.about.licence}</th>
      </tr>
    </thead>
    <tbody>
      {list.map((l) => (
        <tr key={`${l.name}@${l.version}`}>
          <td>{l.name}</td>
          <td>{l.version}</td>
          <td>{l.licence}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
