import { stageLabel } from '../../lib/format';
import { everything, type ReportFilter } from '../../lib/report';
import { t } from '../../lib/texts';
import { Button } from '../../ui/basics';
import css from './report.module.css';

interface Props {
  choices: ReportFilter;
  stages: { k: number; name: string }[];
  filter: ReportFilter;
  working: boolean;
  onChange: (f: ReportFilter) => void;
}

const words = ['categories', 'modalities', 'languages', 'models', 'conditions', 'readers'] as const;

/** Filters narrows what the report is about; what is narrowed is computed anew. */
export const Filters = ({ choices, stages, filter, working, onChange }: Props) => {
  const touched = filter.stages.length > 0 || words.some((w) => filter[w].length > 0);
  return (
    <fieldset className={css.filters}>
      <legend>{t.report.filters.title}</legend>
      <label>
        {t.report.filters.stages}
        <select
          value={filter.stages[0] ?? ''}
          onChange={(e) => onChange({ ...filter, stages: e.target.value ? [Number(e.target.value)] : [] })}
          data-testid="filter-stages"
        >
          <option value="">{t.report.filters.all}</option>
          {choices.stages.map((k) => (
            <option key={k} value={k}>
              {stageLabel(k, stages.find((s) => s.k === k)?.name ?? '')}
            </option>
          ))}
        </select>
      </label>
      {words.map((w) => (
        <label key={w}>
          {t.report.filters[w]}
          <select
            value={filter[w][0] ?? ''}
            onChange={(e) => onChange({ ...filter, [w]: e.target.value ? [e.target.value] : [] })}
            disabled={choices[w].length === 0}
            data-testid={`filter-${w}`}
          >
            <option value="">{t.report.filters.all}</option>
            {choices[w].map((v) => (
              <option key={v} value={v}>
                {v}
              </option>
            ))}
          </select>
        </label>
      ))}
      {touched && (
        <Button look="quiet" onClick={() => onChange(everything)}>
          {t.report.filters.clear}
        </Button>
      )}
      <span className={css.n} role="status">
        {working ? t.report.filters.working : touched ? t.report.filters.note : ''}
      </span>
    </fieldset>
  );
};
