import { troubleOf } from '../../backend/client';
import { useBackend } from '../../backend/queries';
import { useModelRoute } from '../../backend/queueing';
import { t } from '../../lib/texts';
import { Bar, Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import css from './queue.module.css';

const x = t.uncertain;

interface Props {
  of: string;
  onSetUp: (model: string, caseID: string) => void;
}

/** Which says which model to ask of a case: the one that was right most often on the cases most like it, which it shows. */
export const Which = ({ of, onSetUp }: Props) => {
  const backend = useBackend();
  const route = useModelRoute(of);
  if (route.isError) return <Trouble title={t.fault.title} text={troubleOf(route.error).text || t.fault.unknown} />;
  if (!route.data) return <p className={form.soft}>{x.loading}</p>;
  const { model, candidates, neighbours, pictures } = route.data;
  const picture = (id: string) => {
    const at = pictures.find((p) => p.case === id);
    return at ? <img src={backend.thumbURL(id, at.image, at.frame)} alt="" /> : <span />;
  };
  return (
    <div className={css.which} data-testid="which">
      <div className={form.bar}>
        <strong data-testid="which-model">{x.best(model)}</strong>
        <Button className={form.end} look="primary" onClick={() => onSetUp(model, of)} data-testid="which-set-up">
          {x.setUp(model)}
        </Button>
      </div>
      <span className={form.soft}>{x.onLike}</span>
      <table className={form.table} data-testid="which-candidates">
        <tbody>
          {candidates.map((c) => (
            <tr key={c.model}>
              <th scope="row">{c.model}</th>
              <td>
                <span className={css.share}>
                  <Bar done={c.right} total={c.of} label={x.right(c.right, c.of)} />
                </span>
              </td>
              <td>{x.right(c.right, c.of)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h3>{x.nearest}</h3>
      <ul className={css.near}>
        <li>
          {picture(of)}
          <b>{of}</b>
          <span className={form.note}>{x.thisCase}</span>
        </li>
        {neighbours.map((v) => (
          <li key={v.case} data-testid={`near-${v.case}`}>
            {picture(v.case)}
            <b>{v.case}</b>
            <span className={form.note}>{x.alike(v.text, v.image ?? null)}</span>
          </li>
        ))}
      </ul>
      <span className={form.note}>{x.alikeNote}</span>
    </div>
  );
};
