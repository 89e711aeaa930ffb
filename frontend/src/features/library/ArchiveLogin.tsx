import { useId } from 'react';
import { t } from '../../lib/texts';
import css from './archive.module.css';
import library from './library.module.css';

const a = t.archive;

export type By = keyof typeof a.logins;

interface Given {
  by: By;
  user: string;
  secret: string;
  keep: boolean;
}

/** Login asks how to log in at an archive. The secret stays in the dialog unless somebody wants it kept in the keyring. */
export const Login = ({ login, onLogin }: { login: Given; onLogin: (login: Given) => void }) => {
  const name = useId();
  const put = (some: Partial<Given>) => onLogin({ ...login, ...some });
  const asks = login.by === 'name' || login.by === 'token';
  return (
    <fieldset className={css.login}>
      <legend>{a.login}</legend>
      <div className={css.choices}>
        {(Object.keys(a.logins) as By[]).map((by) => (
          <label key={by} className={css.agree}>
            <input
              type="radio"
              name={name}
              checked={login.by === by}
              onChange={() => put({ by, secret: '' })}
              data-testid={`archive-login-${by || 'none'}`}
            />
            {a.logins[by]}
          </label>
        ))}
      </div>
      {asks && (
        <div className={css.search}>
          {login.by === 'name' && (
            <label className={css.field}>
              <span>{a.user}</span>
              <input
                className={library.input}
                autoComplete="off"
                spellCheck={false}
                value={login.user}
                onChange={(e) => put({ user: e.target.value })}
                data-testid="archive-user"
              />
            </label>
          )}
          <label className={css.field}>
            <span>{login.by === 'name' ? a.password : a.token}</span>
            <input
              className={library.input}
              type="password"
              autoComplete="off"
              value={login.secret}
              onChange={(e) => put({ secret: e.target.value })}
              data-testid="archive-secret"
            />
          </label>
          <label className={css.agree}>
            <input type="checkbox" checked={login.keep} onChange={(e) => put({ keep: e.target.checked })} />
            {a.keep}
          </label>
        </div>
      )}
    </fieldset>
  );
};
