import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useAddRubric, useCheckedProtocol, useSetProtocol } from '../../backend/studying';
import type { Problem, Rules } from '../../lib/nouns';
import { type Protocol, protocolOf, protocolText } from '../../lib/protocol';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { ProblemsProvider } from './fields';
import { ProtocolHead, type View } from './ProtocolHead';
import { ReaderRows } from './ReaderRows';
import { Blinding, NameField, Reads, RubricChoice, Training } from './RuleFields';
import css from './study.module.css';

/** Draft is what is not set yet; form is it as the form wrote it. Whatever was typed or loaded is first read by the desk. */
interface Draft {
  text: string;
  form?: Protocol;
}

/** ProtocolTab edits the rules of the study. What is edited is the text of a protocol file; it holds once it is set. */
export const ProtocolTab = ({ rules }: { rules: Rules }) => {
  const [draft, setDraft] = useState<Draft>();
  const [view, setView] = useState<View>('form');
  const text = draft?.text ?? rules.protocol;
  const checked = useCheckedProtocol(text);
  const set = useSetProtocol();
  const problems = checked.data?.problems ?? [];
  const put = (next: Draft | undefined) => {
    setDraft(next);
    set.reset();
  };
  return (
    <ProblemsProvider value={problems}>
      <ProtocolHead
        rules={rules}
        text={text}
        changed={draft !== undefined && draft.text !== rules.protocol}
        problems={problems}
        view={view}
        set={set}
        onView={setView}
        onLoaded={(loaded) => put({ text: loaded })}
        onDone={() => put(undefined)}
      />
      {view === 'json' ? (
        <AsText text={text} problems={problems} onText={(typed) => put({ text: typed })} />
      ) : checked.isPlaceholderData && !draft?.form ? (
        <p className={form.soft}>{t.loading}</p>
      ) : (
        <AsForm
          rules={rules}
          protocol={draft?.form ?? protocolOf(checked.data?.text ?? '')}
          problems={problems}
          onProtocol={(form) => put({ text: protocolText(form), form })}
        />
      )}
    </ProblemsProvider>
  );
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
            <span className={form.note}>
              {[p.line ? t.study.line(p.line) : '', p.field].filter(Boolean).join(' · ')}
            </span>
            <span className={form.wrong}>{p.text}</span>
          </li>
        ))}
      </ul>
    </section>
  );

interface FormProps {
  rules: Rules;
  /** protocol is what the form itself wrote, or the desk's reading of what was typed or loaded; none where it could not be read. */
  protocol: Protocol | undefined;
  problems: readonly Problem[];
  onProtocol: (protocol: Protocol) => void;
}

const AsForm = ({ rules, protocol, problems, onProtocol }: FormProps) => {
  const addRubric = useAddRubric(t.study.rubricTitle);
  if (!protocol) {
    return (
      <>
        <p className={form.soft}>{t.study.unreadable}</p>
        <ToMend problems={problems} />
      </>
    );
  }
  const change = (part: Partial<Protocol>) => onProtocol({ ...protocol, ...part });
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
            <span className={form.note} role="status">
              {t.study.rubricAdded(done.added.name, done.added.version)}
            </span>
          )}
          {done && done.problems.length > 0 && (
            <>
              <span className={form.wrong}>{t.study.rubricWrong(done.file)}</span>
              <ToMend problems={done.problems} />
            </>
          )}
          {addRubric.isError && (
            <Trouble title={t.fault.title} text={troubleOf(addRubric.error).text || t.fault.unknown} />
          )}
        </section>
        <Reads protocol={protocol} onChange={change} />
        <Blinding protocol={protocol} onChange={change} />
        {protocol.seed ? <span className={form.note}>{t.study.seed(protocol.seed)}</span> : null}
      </div>
    </div>
  );
};
