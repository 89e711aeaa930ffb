import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useAddRubric, useCheckedProtocol, useLoadText, useSaveText, useSetProtocol } from '../../backend/studying';
import type { Problem, Rules } from '../../lib/nouns';
import { type Protocol, protocolOf, protocolText } from '../../lib/protocol';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import { CloseStudy } from './CloseStudy';
import { ProblemsProvider } from './fields';
import { ReaderRows } from './ReaderRows';
import { Blinding, NameField, Reads, RubricChoice, Training } from './RuleFields';
import css from './study.module.css';

/** ProtocolTab edits the rules of the study. What is edited is the text of a protocol file; it holds once it is set. */
export const ProtocolTab = ({ rules }: { rules: Rules }) => {
  const [draft, setDraft] = useState<string>();
  const [view, setView] = useState<'form' | 'json'>('form');
  const [said, setSaid] = useState('');
  const text = draft ?? rules.protocol;
  const checked = useCheckedProtocol(text);
  const set = useSetProtocol();
  const load = useLoadText(t.study.loadTitle);
  const save = useSaveText(t.study.saveTitle);
  const problems = checked.data?.problems ?? [];
  const changed = draft !== undefined && draft !== rules.protocol;
  const put = (next: string | undefined) => {
    setDraft(next);
    setSaid('');
    set.reset();
  };
  const why = () => {
    if (set.isPending) return t.study.setting;
    if (problems.length > 0) return t.study.wrong(problems.length);
    return changed || !rules.set ? '' : t.study.unchanged;
  };
  const trouble = [set, load, save].find((x) => x.isError);
  return (
    <ProblemsProvider value={problems}>
      <div className={css.bar}>
        <span className={css.views} role="group" aria-label={t.study.tabs.protocol}>
          {(['form', 'json'] as const).map((v) => (
            <button
              key={v}
              type="button"
              aria-pressed={view === v}
              data-testid={`view-${v}`}
              onClick={() => setView(v)}
            >
              {t.study[v]}
            </button>
          ))}
        </span>
        <Button
          onClick={() =>
            load.mutate(undefined, {
              onSuccess: (file) => {
                if (!file) return;
                put(file.text);
                setSaid(t.study.loaded(file.name));
              },
            })
          }
          data-testid="load-protocol"
        >
          {t.study.load}
        </Button>
        <Button
          onClick={() =>
            save.mutate(
              { name: t.study.fileName, text },
              { onSuccess: (path) => path !== '' && setSaid(t.study.savedAs(path)) },
            )
          }
        >
          {t.study.save}
        </Button>
        <span className={css.soft} role="status" data-testid="protocol-status">
          {said || status(rules, changed)}
        </span>
        <span className={css.end}>
          {changed && <Button onClick={() => put(undefined)}>{t.study.discard}</Button>}
          <CloseStudy
            closed={protocolOf(rules.protocol)?.closed ?? false}
            why={!rules.set ? t.study.noneSet : changed ? t.study.needsSet : set.isPending ? t.study.setting : ''}
            onClosed={(closed) => {
              const now = protocolOf(rules.protocol);
              if (now) set.mutate(protocolText({ ...now, closed }));
            }}
          />
          <Button
            look="primary"
            why={why()}
            onClick={() => set.mutate(text, { onSuccess: () => put(undefined) })}
            data-testid="set-protocol"
          >
            {t.study.set}
          </Button>
        </span>
      </div>
      {trouble && <Trouble title={t.fault.title} text={troubleOf(trouble.error).text || t.fault.unknown} />}
      {view === 'json' ? (
        <AsText text={text} problems={problems} onText={put} />
      ) : (
        <AsForm rules={rules} text={checked.data?.text ?? ''} draft={text} problems={problems} onText={put} />
      )}
    </ProblemsProvider>
  );
};

const status = (rules: Rules, changed: boolean) => {
  if (changed) return t.study.changed;
  if (!rules.set) return t.study.unset;
  return protocolOf(rules.protocol)?.closed ? t.study.closedNow : t.study.asSet;
};

interface TextProps {
  text: string;
  problems: readonly Problem[];
  onText: (text: string) => void;
}

const AsText = ({ text, problems, onText }: TextProps) => (
  <div className={css.asText}>
    <textarea
      className={css.code}
      aria-label={t.study.jsonLabel}
      spellCheck={false}
      value={text}
      data-testid="protocol-json"
      onChange={(e) => onText(e.target.value)}
    />
    <ToMend problems={problems} />
  </div>
);

const ToMend = ({ problems }: { problems: readonly Problem[] }) =>
  problems.length === 0 ? null : (
    <section className={css.card} data-testid="protocol-problems">
      <h2>{t.study.problems}</h2>
      <ul className={css.list}>
        {problems.map((p) => (
          <li key={`${p.field}${p.text}`}>
            <span className={css.note}>
              {[p.line ? t.study.line(p.line) : '', p.field].filter(Boolean).join(' · ')}
            </span>
            <span className={css.wrong}>{p.text}</span>
          </li>
        ))}
      </ul>
    </section>
  );

interface FormProps {
  rules: Rules;
  /** text is the draft as the desk read it: whole, whatever the draft leaves out; draft is what was typed. */
  text: string;
  draft: string;
  problems: readonly Problem[];
  onText: (text: string) => void;
}

const AsForm = ({ rules, text, draft, problems, onText }: FormProps) => {
  const protocol = readable(draft) ?? protocolOf(text);
  const addRubric = useAddRubric(t.study.rubricTitle);
  if (!protocol) {
    return (
      <>
        <p className={css.soft}>{t.study.unreadable}</p>
        <ToMend problems={problems} />
      </>
    );
  }
  const change = (part: Partial<Protocol>) => onText(protocolText({ ...protocol, ...part }));
  const done = addRubric.data;
  return (
    <div className={css.form}>
      <div className={css.column}>
        <ReaderRows protocol={protocol} onChange={(readers) => change({ readers })} />
        <Training protocol={protocol} onChange={change} />
      </div>
      <div className={css.column}>
        <section className={css.card}>
          <NameField protocol={protocol} onChange={change} />
          <div className={css.row}>
            <RubricChoice protocol={protocol} rubrics={rules.rubrics} onChange={change} />
            <Button className={css.beside} onClick={() => addRubric.mutate()} data-testid="add-rubric">
              {t.study.addRubric}
            </Button>
          </div>
          {done?.added && (
            <span className={css.note} role="status">
              {t.study.rubricAdded(done.added.name, done.added.version)}
            </span>
          )}
          {done && done.problems.length > 0 && (
            <>
              <span className={css.wrong}>{t.study.rubricWrong(done.file)}</span>
              <ToMend problems={done.problems} />
            </>
          )}
          {addRubric.isError && (
            <Trouble title={t.fault.title} text={troubleOf(addRubric.error).text || t.fault.unknown} />
          )}
        </section>
        <Reads protocol={protocol} onChange={change} />
        <Blinding protocol={protocol} onChange={change} />
        {protocol.seed ? <span className={css.note}>{t.study.seed(protocol.seed)}</span> : null}
      </div>
    </div>
  );
};

// What the form itself wrote is whole; what somebody typed may leave parts out, and then the desk's reading of it stands in.
const readable = (draft: string): Protocol | undefined => {
  try {
    const p = JSON.parse(draft);
    const whole = Array.isArray(p.readers) && Array.isArray(p.training) && p.look && p.rubric && p.idle_seconds;
    return whole ? p : undefined;
  } catch {
    return undefined;
  }
};
