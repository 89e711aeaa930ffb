import { answerText, type Numbered } from '../../chain/outline';
import { Rows } from '../../chain/Rows';
import type { ChainView, Question } from '../../lib/nouns';
import { ownRows, saidOwn } from '../../lib/ownAnswer';
import { t } from '../../lib/texts';
import { useKeyOf } from '../../ui/actions';
import { Chip, Kbd } from '../../ui/basics';
import { GoOnFrom } from './GoOnFrom';
import css from './reading.module.css';
import type { Reading } from './useReading';

/** ownInShort writes what the reader would have said in place of a step on one line; '' where nothing was said. */
export const ownInShort = (chain: ChainView, numbered: Numbered, question: Question | undefined): string => {
  const own = chain.own_answers.find((o) => o.step === numbered.step.id);
  return own ? [answerText(own.answer, question), own.text].filter(Boolean).join(' · ') : '';
};

const intoSight = (section: HTMLElement | null) => section?.scrollIntoView({ block: 'nearest' });

/** WouldSay takes what the reader would have said in place of the open step. It keeps out of the way until it is wanted. */
export const WouldSay = ({ reading }: { reading: Reading }) => {
  const { own, s, move, step, chain, asksOwn, rating } = reading;
  const keyOf = useKeyOf();
  if (!step || !chain) return null;
  const short = ownInShort(chain, step, asksOwn);
  const open = () => move({ do: 'own', open: true, row: 'own-answer' });
  if (!s.own) {
    if (reading.fixed)
      return (
        short && (
          <div className={css.would}>
            {t.own.said(short)} <GoOnFrom reading={reading} />
          </div>
        )
      );
    return (
      <div className={css.would}>
        <Chip data-testid="own-open" onClick={open}>
          {short ? t.own.said(short) : t.own.open} {keyOf('own-answer') && <Kbd of={keyOf('own-answer')} />}
        </Chip>
        {short && <GoOnFrom reading={reading} />}
      </div>
    );
  }
  const marked = rating?.evidence.filter((r) => !r.adopted) ?? [];
  return (
    <section className={css.wouldOpen} ref={intoSight} data-testid="own-answer" aria-label={t.own.open}>
      <Rows
        rows={ownRows(own, asksOwn)}
        values={reading.valuesOf}
        active={s.row}
        readOnly={reading.fixed}
        onRow={(row) => move({ do: 'row', row })}
        onChoose={reading.choose}
        onText={reading.choose}
        regions={() => null}
      />
      <div className={css.wouldFoot}>
        <span className={css.small}>{t.own.note}</span>
        {saidOwn(own) && marked.length > 0 && (
          <Chip
            kind="mine"
            lit={own.evidence.length > 0}
            aria-pressed={own.evidence.length > 0}
            data-testid="own-evidence"
            onClick={() => reading.setOwn((now) => ({ ...now, evidence: now.evidence.length > 0 ? [] : marked }))}
          >
            {t.own.evidence(own.evidence.length || marked.length)}
          </Chip>
        )}
        <Chip data-testid="own-close" onClick={() => move({ do: 'own', open: false, row: 'support' })}>
          {t.own.close} {keyOf('own-answer') && <Kbd of={keyOf('own-answer')} />}
        </Chip>
      </div>
    </section>
  );
};
