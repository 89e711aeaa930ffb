import { useMemo, useState } from 'react';
import { useDisagreement, useDisagreements } from '../../backend/adjudicating';
import { troubleOf } from '../../backend/client';
import { useRubric } from '../../backend/queries';
import type { Disagreement, Disagreements } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { useActions } from '../../ui/actions';
import { Button, Trouble } from '../../ui/basics';
import css from './adjudication.module.css';
import type { Draft } from './draft';
import { Item } from './Item';
import { isItem, List, linesOf } from './List';
import { Overturns } from './Overturns';

/** AdjudicationScreen lists where readers disagree and lets an adjudicator decide, one item at a time. */
export const AdjudicationScreen = () => {
  const found = useDisagreements();
  const rubric = useRubric();
  const failed = found.error ?? rubric.error;
  if (failed) {
    return (
      <main style={{ padding: 24 }} data-testid="adjudication">
        <Trouble title={t.fault.title} text={troubleOf(failed).text || t.fault.unknown}>
          <Button onClick={() => (found.isError ? found.refetch() : rubric.refetch())}>{t.fault.again}</Button>
        </Trouble>
      </main>
    );
  }
  if (!found.data || !rubric.data) return <p style={{ padding: 24 }}>{t.loading}</p>;
  return <Screen list={found.data} />;
};

const Screen = ({ list }: { list: Disagreements }) => {
  const [only, setOnly] = useState('');
  const lines = useMemo(() => linesOf(list, only), [list, only]);
  const items = lines.filter(isItem); // in the order in which they stand on the screen
  const [id, setID] = useState(() => items.find((i) => i.state === 'open')?.id ?? '');
  // What is being decided is kept while the adjudicator looks at another item.
  const [drafts] = useState(() => new Map<string, Draft>());
  const at = items.findIndex((i) => i.id === id);
  const go = (by: 1 | -1) => {
    const next = items[at + by];
    if (next) setID(next.id);
  };
  const nextOpen = () => {
    const after = [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))].find((i) => i.state === 'open');
    if (after) setID(after.id);
  };
  useActions([
    { id: 'next-case', run: () => go(1) },
    { id: 'previous-case', run: () => go(-1) },
  ]);
  return (
    <main className={css.screen} data-testid="adjudication">
      <h1 className="hidden">{t.adjudication.title}</h1>
      <List list={list} lines={lines} only={only} id={id} onOnly={setOnly} onOpen={setID} />
      {list.may ? (
        <Chosen
          key={id}
          item={list.items.find((i) => i.id === id)}
          left={list.open}
          drafts={drafts}
          onDecided={nextOpen}
        />
      ) : (
        <Overturns />
      )}
    </main>
  );
};

interface ChosenProps {
  item: Disagreement | undefined;
  left: number;
  drafts: Map<string, Draft>;
  onDecided: () => void;
}

const Chosen = ({ item, left, drafts, onDecided }: ChosenProps) => {
  const opens = item?.state === 'open' || item?.state === 'decided';
  const view = useDisagreement(opens && item ? item.id : '');
  const rubric = useRubric();
  if (!item) return <p className={css.empty}>{left > 0 ? t.adjudication.choose : t.adjudication.allDecided}</p>;
  if (!opens)
    return <p className={css.empty}>{item.state === 'barred' ? t.adjudication.barred : t.adjudication.waits}</p>;
  if (view.error) {
    return (
      <div className={css.empty}>
        <Trouble title={t.fault.title} text={troubleOf(view.error).text || t.fault.unknown}>
          <Button onClick={() => view.refetch()}>{t.fault.again}</Button>
        </Trouble>
      </div>
    );
  }
  if (!view.data || !rubric.data) return <p className={css.empty}>{t.loading}</p>;
  return <Item view={view.data} rubric={rubric.data} drafts={drafts} onDecided={onDecided} />;
};
