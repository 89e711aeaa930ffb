import { troubleOf } from '../../backend/client';
import { useAbout } from '../../backend/queries';
import { t } from '../../lib/texts';
import { Card, Trouble } from '../../ui/basics';
import css from './settings.module.css';

/** AboutScreen says what this program is, what it is for, and what it is made of. */
export const AboutScreen = () => {
  const about = useAbout();
  return (
    <main className={css.about} data-testid="about">
      <h1>{t.about.title}</h1>
      <Card className={css.card}>
        <strong>
          {t.notice.research} {t.notice.device} {t.notice.diagnosis}
        </strong>
        <span className={css.soft}>{t.notice.more}</span>
      </Card>
      {about.isError && <Trouble title={t.fault.title} text={troubleOf(about.error).text || t.fault.unknown} />}
      {about.data && (
        <>
          <p>
            {t.about.version} {about.data.version}
            {about.data.commit && ` · ${t.about.commit} ${about.data.commit}`}
          </p>
          <h2>{t.about.licences}</h2>
          <table>
            <thead>
              <tr>
                <th>{t.about.component}</th>
                <th>{t.about.version}</th>
                <th>{t.about.licence}</th>
              </tr>
            </thead>
            <tbody>
              {about.data.licences.map((l) => (
                <tr key={`${l.name}@${l.version}`}>
                  <td>{l.name}</td>
                  <td>{l.version}</td>
                  <td>{l.licence}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </main>
  );
};
