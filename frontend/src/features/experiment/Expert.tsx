import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useComparison } from '../../backend/experimenting';
import type { Pointed } from '../../backend/queueing';
import type { Uncertain } from '../../lib/nouns';
import { compareAddress } from '../../lib/places';
import { t } from '../../lib/texts';
import { Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { TabList } from '../../ui/TabList';
import { Emphasise } from './Emphasise';
import css from './queue.module.css';
import { Which } from './Which';

const x = t.uncertain;
const tabs = ['point', 'which'] as const;

interface Props {
  of: Pointed;
  /** What is known of how unsure the model is; undefined where somebody came from another screen. */
  row: Uncertain | undefined;
  onSetUp: (model: string, caseID: string) => void;
}

/** Expert is what can be done about one case: point the model to something, or ask another one. */
export const Expert = ({ of, row, onSetUp }: Props) => {
  const [tab, setTab] = useState<(typeof tabs)[number]>('point');
  const chain = useComparison(of.case, of.chain, of.chain);
  const arm = chain.data?.arms[0];
  return (
    <section className={form.card} aria-label={of.case} data-testid="expert">
      <div className={form.bar}>
        <h2>{of.case}</h2>
        <span className={form.soft}>
          {[arm?.model, arm?.condition, row && x.scoreIs(row.score)].filter(Boolean).join(' · ')}
        </span>
        <span className={form.end}>
          <a
            className={form.link}
            href={compareAddress(of.case, of.chain, row?.again || of.chain)}
            data-testid="expert-compare"
          >
            {row?.again ? x.compareNoop : x.open}
          </a>
        </span>
      </div>
      <TabList label={of.case} panel="expert-panel" tabs={tabs} names={x.tabs} tab={tab} onTab={setTab} />
      <div id="expert-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className={css.panel}>
        {tab === 'which' && <Which of={of.case} onSetUp={onSetUp} />}
        {tab === 'point' &&
          (chain.isError ? (
            <Trouble title={t.fault.title} text={troubleOf(chain.error).text || t.fault.unknown} />
          ) : chain.data && chain.data.case === of.case ? (
            <Emphasise of={chain.data} />
          ) : (
            <p className={form.soft}>{t.loading}</p>
          ))}
      </div>
    </section>
  );
};
