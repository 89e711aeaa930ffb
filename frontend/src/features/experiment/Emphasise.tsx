import { useEffect, useRef, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useModels } from '../../backend/experimenting';
import { useEmphasise } from '../../backend/queueing';
import { answerText, frameNumber } from '../../chain/outline';
import { stageLabel } from '../../lib/format';
import type { Comparison, Region } from '../../lib/nouns';
import { compareAddress } from '../../lib/places';
import { t } from '../../lib/texts';
import { useActions } from '../../ui/actions';
import { Button, Chip, Trouble } from '../../ui/basics';
import { Choose } from '../../ui/Choose';
import form from '../../ui/form.module.css';
import { useDrawing, type ViewerHandle } from '../../viewer';
import { EmphasisPicture } from './EmphasisPicture';
import { listed, wordsOf } from './emphasis';
import { toggled } from './order';
import css from './queue.module.css';

const x = t.uncertain;

/** Emphasise points a model to words and places of a case, has it asked again, and shows what it said before and after. */
export const Emphasise = ({ of }: { of: Comparison }) => {
  const arm = of.arms[0];
  const [question, setQuestion] = useState('');
  const [words, setWords] = useState<string[]>([]);
  const [others, setOthers] = useState('');
  const [regions, setRegions] = useState<Region[]>([]);
  const [model, setModel] = useState('');
  const [draws, setDraws] = useState(false);
  const viewer = useRef<ViewerHandle>(null);
  const beside = useRef<HTMLDivElement>(null);
  const models = useModels();
  const ask = useEmphasise();
  useDrawing(draws, viewer, beside);
  useActions([
    { id: 'evidence', run: () => setDraws(!draws) },
    { id: 'leave-tool', run: () => setDraws(false) },
  ]);
  const all = [...words, ...listed(others)];
  const why = ask.isPending ? x.asking : all.length + regions.length === 0 ? x.why : '';
  const about = of.questions.map((q) => q.question).filter((q) => question === '' || q.id === question);
  const able = (models.data?.models ?? []).filter((m) => m.name !== arm?.model && m.why === '');
  const answer = (q: (typeof of.questions)[number]) => {
    const said = q.said[0]?.answer;
    return said ? answerText(said, q.question) : t.compare.notAsked;
  };
  if (!arm) return null;
  return (
    <div className={css.emphasis} data-testid="emphasise">
      <EmphasisPicture
        of={of}
        regions={regions}
        draws={draws}
        viewer={viewer}
        onDrawn={(region) => {
          setDraws(false);
          setRegions([
            ...regions,
            { ...region, id: `p${1 + Math.max(0, ...regions.map((r) => Number(r.id.slice(1))))}` },
          ]);
        }}
        onRegion={(region) => setRegions(regions.map((r) => (r.id === region.id ? region : r)))}
        onDrop={(region) => setRegions(regions.filter((r) => r.id !== region.id))}
      />
      <div className={css.choose} ref={beside} tabIndex={-1}>
        <Choose label={x.about} value={question} testid="emphasis-question" onValue={setQuestion}>
          <option value="">{x.everyQuestion}</option>
          {of.questions.map((q) => (
            <option key={q.question.id} value={q.question.id}>
              {stageLabel(q.question.k, q.question.stage)} · {q.question.text} · {x.said(answer(q))}
            </option>
          ))}
        </Choose>
        <fieldset className={css.words}>
          <legend title={x.wordsNote}>{x.words}</legend>
          <div className={css.chips}>
            {wordsOf(about).map((w) => (
              <Chip
                key={w}
                kind={words.includes(w) ? 'mine' : 'plain'}
                lit={words.includes(w)}
                aria-pressed={words.includes(w)}
                onClick={() => setWords(toggled(words, w))}
              >
                {w}
              </Chip>
            ))}
          </div>
          <input
            className={form.input}
            value={others}
            placeholder={x.wordsNote}
            aria-label={x.others}
            data-testid="emphasis-words"
            onChange={(e) => setOthers(e.target.value)}
          />
        </fieldset>
        <div className={form.bar}>
          <span className={form.soft}>{x.places}</span>
          {regions.length === 0 && <span className={form.note}>{x.noPlaces}</span>}
          {regions.map((r, i) => (
            <Chip
              key={r.id}
              kind="mine"
              title={x.dropPlace(i + 1)}
              onClick={() => setRegions(regions.filter((v) => v.id !== r.id))}
            >
              {x.place(i + 1, frameNumber(r))} ×
            </Chip>
          ))}
          <Button
            className={form.end}
            aria-pressed={draws}
            onClick={() => setDraws(!draws)}
            data-testid="emphasis-draw"
          >
            {x.draw}
          </Button>
        </div>
        <Choose label={x.ask} value={model} testid="emphasis-model" onValue={setModel}>
          <option value="">{x.sameModel(arm.model)}</option>
          {able.map((m) => (
            <option key={m.name}>{m.name}</option>
          ))}
        </Choose>
        {ask.isError && <Trouble title={t.fault.title} text={troubleOf(ask.error).text || t.fault.unknown} />}
        <div className={form.bar}>
          <Button
            look="primary"
            why={why}
            onClick={() => ask.mutate({ case: of.case, chain: arm.chain, question, words: all, regions, model })}
            data-testid="emphasis-ask"
          >
            {ask.isPending ? x.asking : x.again}
          </Button>
          {why && !ask.isPending && <span className={form.note}>{why}</span>}
        </div>
        <p className={form.note}>
          <b>{x.emphasis}.</b> {x.emphasisNote}
        </p>
      </div>
      {ask.data && <After key={ask.data.arms[1]?.chain} of={ask.data} />}
    </div>
  );
};

// What was said before and after, question by question.
const After = ({ of }: { of: Comparison }) => {
  const [before, after] = of.arms;
  const here = useRef<HTMLDivElement>(null);
  useEffect(() => {
    here.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={here} className={css.after} data-testid="emphasis-after" role="status">
      <div className={form.bar}>
        <strong>
          {x.emphasis}: {x.changed(of.changed, of.questions.length)}
        </strong>
        {before && after && (
          <a
            className={form.link}
            href={compareAddress(of.case, before.chain, after.chain)}
            data-testid="emphasis-compare"
          >
            {x.beside}
          </a>
        )}
      </div>
      <table className={form.table}>
        <thead>
          <tr>
            <th scope="col">{x.about}</th>
            <th scope="col">{x.before}</th>
            <th scope="col">{x.after}</th>
          </tr>
        </thead>
        <tbody>
          {of.questions.map((q) => (
            <tr key={q.question.id} data-changed={q.changed || undefined}>
              <td dir="auto">
                {stageLabel(q.question.k, q.question.stage)} · {q.question.text}
              </td>
              {[0, 1].map((i) => {
                const said = q.said[i];
                return (
                  <td key={i} dir="auto">
                    {said?.answer
                      ? answerText(said.answer, q.question)
                      : (t.compare.parse[said?.parse ?? ''] ?? t.compare.notAsked)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
