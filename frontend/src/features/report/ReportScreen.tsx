import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useSaveReport } from '../../backend/queries';
import { useReport } from '../../backend/reporting';
import { everything, type ReportDocument, type ReportFilter } from '../../lib/report';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import { Behind } from './Behind';
import { Compared } from './Compared';
import { Filters } from './Filters';
import { Badge, lookOf } from './look';
import { Overview } from './Overview';
import type { Pick } from './picks';
import { Readers } from './Readers';
import css from './report.module.css';
import { Calibration, Consistency, Cues, Origins, Reliance } from './sections';
import type { Shown } from './shown';

/** Looked is how somebody left the report of a workspace, to come back to it from a case. */
export interface Looked {
  of: string;
  filter: ReportFilter;
  page?: PageState;
}

interface PageState {
  /** keys of what was shown at first, and what somebody showed or hid since. */
  first: string[];
  chosen: Record<string, boolean>;
  section: Section;
  pick?: Pick;
}

interface ScreenProps {
  open: boolean;
  /** of names the workspace. */
  of: string;
  looked: RefObject<Looked | undefined>;
}

/** ReportScreen shows accuracy beside grounding and never blends them. */
export const ReportScreen = ({ open, of, looked }: ScreenProps) => {
  const [left] = useState(() => (looked.current?.of === of ? looked.current : undefined));
  const [filter, setFilter] = useState<ReportFilter>(left?.filter ?? everything);
  const [page, setPage] = useState(left?.page);
  useEffect(() => {
    looked.current = { of, filter, page };
  }, [looked, of, filter, page]);
  const report = useReport(open, filter);
  if (!open) return <p style={{ padding: 24 }}>{t.library.noCases}</p>;
  if (report.isError) {
    const trouble = troubleOf(report.error);
    return (
      <div style={{ padding: 24 }} data-testid="report-refused">
        <Trouble
          title={trouble.kind === 'refused' ? t.report.refused : t.fault.title}
          text={trouble.text || t.fault.unknown}
        />
      </div>
    );
  }
  if (!report.data) return <p style={{ padding: 24 }}>{t.report.loading}</p>;
  return (
    <Page
      report={report.data}
      filter={filter}
      onFilter={setFilter}
      working={report.isFetching}
      left={page}
      onLeave={setPage}
    />
  );
};

const atFirst = 3;

/** firstOf chooses what is shown until somebody chooses: the entries of which the most parts of the report say something. */
const firstOf = (all: Shown[]): string[] => {
  const says = ({ model: m }: Shown) =>
    [
      m.origin,
      m.grounding_causal,
      m.image_reliance,
      m.mediation,
      m.cues,
      m.consistency,
      m.grounding_human.lenient,
    ].filter((part) => part.estimable).length;
  return [...all]
    .sort((a, b) => says(b) - says(a))
    .slice(0, atFirst)
    .map((m) => m.model.key);
};

type Section = keyof typeof t.report.sections;

interface Props {
  report: ReportDocument;
  filter: ReportFilter;
  onFilter: (f: ReportFilter) => void;
  working: boolean;
  left: PageState | undefined;
  onLeave: (page: PageState) => void;
}

const Page = ({ report, filter, onFilter, working, left, onLeave }: Props) => {
  const seats = useRef(new Map<string, number>()); // a model keeps its look, whatever the filter leaves beside it
  const all = useMemo(
    () =>
      report.models.map((model): Shown => {
        const seat = seats.current.get(model.key) ?? seats.current.size;
        seats.current.set(model.key, seat);
        return { model, look: lookOf(seat), name: t.report.run(model.model, model.run, model.condition) };
      }),
    [report],
  );
  const [first] = useState(() => left?.first ?? firstOf(all));
  const [chosen, setChosen] = useState(left?.chosen ?? {});
  const [section, setSection] = useState<Section>(left?.section ?? 'overview');
  const [pick, setPick] = useState(left?.pick);
  const broughtIntoView = useRef<Pick | undefined>(undefined);
  useEffect(() => onLeave({ first, chosen, section, pick }), [onLeave, first, chosen, section, pick]);
  const models = useMemo(() => {
    const shown = (keys: string[]) => all.filter((m) => chosen[m.model.key] ?? keys.includes(m.model.key));
    const found = shown(first);
    return found.length > 0 ? found : shown(firstOf(all)); // a filter may leave none of them
  }, [all, chosen, first]);
  const stages = useMemo(() => all[0]?.model.accuracy.stages.map(({ k, name }) => ({ k, name })) ?? [], [all]);
  const names = useMemo(() => stages.map((s) => s.name), [stages]);
  return (
    <div className={css.screen} data-testid="report">
      <aside className={css.side}>
        <h2>{t.report.models}</h2>
        {all.map((m) => (
          <button
            key={m.model.key}
            type="button"
            className={css.model}
            aria-pressed={models.includes(m)}
            title={m.model.key}
            onClick={() => setChosen({ ...chosen, [m.model.key]: !models.includes(m) })}
          >
            <Badge look={m.look} /> {m.name}
          </button>
        ))}
        <h2>{t.report.sectionsTitle}</h2>
        {(Object.keys(t.report.sections) as Section[]).map((s) => (
          <button
            key={s}
            type="button"
            className={css.model}
            aria-pressed={s === section}
            onClick={() => setSection(s)}
            data-testid={`section-${s}`}
          >
            {t.report.sections[s]}
          </button>
        ))}
        <Filters choices={report.choices} stages={stages} filter={filter} working={working} onChange={onFilter} />
      </aside>
      <main className={css.main} data-section={section} aria-busy={working}>
        <Head report={report} filter={filter} />
        {all.length === 0 && <p>{t.report.noChains}</p>}
        {section === 'overview' && <Overview models={models} stages={names} onPick={setPick} />}
        {section === 'origin' && <Origins models={models} onPick={setPick} />}
        {section === 'reliance' && <Reliance models={models} onPick={setPick} />}
        {section === 'cues' && <Cues models={models} onPick={setPick} />}
        {section === 'consistency' && <Consistency models={models} onPick={setPick} />}
        {section === 'calibration' && <Calibration models={models} onPick={setPick} />}
        {section === 'compare' && <Compared all={all} filter={filter} />}
        {section === 'readers' && <Readers report={report} />}
        {section !== 'compare' && section !== 'readers' && (
          <Behind pick={pick} shown={broughtIntoView} filter={filter} onClose={() => setPick(undefined)} />
        )}
        <details className={css.methods}>
          <summary>{t.report.methods}</summary>
          {[...report.notes, ...report.methods].map((x) => (
            <p key={x}>{x}</p>
          ))}
        </details>
      </main>
    </div>
  );
};

const Head = ({ report, filter }: { report: ReportDocument; filter: ReportFilter }) => {
  const save = useSaveReport(t.report.saveTitle, filter);
  const { data } = report;
  return (
    <>
      <div className={css.head}>
        <h1>{report.name}</h1>
        <span className={css.soft}>
          {report.synthetic && `${t.library.synthetic} · `}
          {t.report.facts(data.cases, data.patients, data.images, data.variants, data.signed)}
        </span>
        <span className={css.n} style={{ marginLeft: 'auto' }}>
          {t.report.seed(report.seed, report.resamples)}
        </span>
        <Button onClick={() => save.mutate()} disabled={save.isPending} data-testid="save-report">
          {t.report.save}
        </Button>
      </div>
      {save.data && save.data.length > 0 && (
        <p className={css.soft} role="status" data-testid="report-saved">
          {t.report.saved(save.data)}
        </p>
      )}
      {save.isError && <Trouble title={t.fault.title} text={troubleOf(save.error).text || t.fault.unknown} />}
    </>
  );
};
