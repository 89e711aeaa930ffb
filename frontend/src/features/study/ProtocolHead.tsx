import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useLoadText, useSaveText, type useSetProtocol } from '../../backend/studying';
import type { Problem, Rules } from '../../lib/nouns';
import { protocolOf, protocolText } from '../../lib/protocol';
import { t } from '../../lib/texts';
import { Button, Trouble } from '../../ui/basics';
import form from '../../ui/form.module.css';
import { CloseStudy } from './CloseStudy';
import css from './study.module.css';

export type View = 'form' | 'json';

interface Props {
  rules: Rules;
  text: string;
  changed: boolean;
  problems: readonly Problem[];
  view: View;
  set: ReturnType<typeof useSetProtocol>;
  onView: (view: View) => void;
  onLoaded: (text: string) => void;
  onDone: () => void;
}

/** ProtocolHead is what can be done with the rules as a whole, and whether they hold as they stand below. */
export const ProtocolHead = (p: Props) => {
  const { rules, set, changed } = p;
  const [said, setSaid] = useState<{ of: string; what: string }>();
  const why = () => {
    if (set.isPending) return t.study.setting;
    if (p.problems.length > 0) return t.study.wrong(p.problems.length);
    return changed || !rules.set ? '' : t.study.unchanged;
  };
  const whyNotClose = () => {
    if (!rules.set) return t.study.noneSet;
    if (changed) return t.study.needsSet;
    return set.isPending ? t.study.setting : '';
  };
  return (
    <>
      <div className={css.bar}>
        <span className={css.views} role="group" aria-label={t.study.tabs.protocol}>
          {(['form', 'json'] as const).map((v) => (
            <button
              key={v}
              type="button"
              aria-pressed={p.view === v}
              data-testid={`view-${v}`}
              onClick={() => p.onView(v)}
            >
              {t.study[v]}
            </button>
          ))}
        </span>
        <Files text={p.text} onLoaded={p.onLoaded} onSaid={(of, what) => setSaid({ of, what })} />
        <span className={form.soft} role="status" data-testid="protocol-status">
          {said?.of === p.text ? said.what : status(rules, changed)}
        </span>
        <span className={css.end}>
          {changed && (
            <Button onClick={p.onDone} data-testid="discard">
              {t.study.discard}
            </Button>
          )}
          <CloseStudy
            closed={protocolOf(rules.protocol)?.closed ?? false}
            why={whyNotClose()}
            onClosed={(closed) => {
              const now = protocolOf(rules.protocol);
              if (now) set.mutate(protocolText({ ...now, closed }));
            }}
          />
          <Button
            look="primary"
            why={why()}
            onClick={() => set.mutate(p.text, { onSuccess: p.onDone })}
            data-testid="set-protocol"
          >
            {t.study.set}
          </Button>
        </span>
      </div>
      {set.isError && <Trouble title={t.fault.title} text={troubleOf(set.error).text || t.fault.unknown} />}
    </>
  );
};

const status = (rules: Rules, changed: boolean) => {
  if (changed) return t.study.changed;
  if (!rules.set) return t.study.unset;
  return protocolOf(rules.protocol)?.closed ? t.study.closedNow : t.study.asSet;
};

interface FilesProps {
  text: string;
  onLoaded: (text: string) => void;
  /** onSaid tells what became of a file, as long as the text is the one that it is about. */
  onSaid: (of: string, what: string) => void;
}

const Files = ({ text, onLoaded, onSaid }: FilesProps) => {
  const load = useLoadText(t.study.loadTitle);
  const save = useSaveText(t.study.saveTitle);
  const loaded = (file: { name: string; text: string } | undefined) => {
    if (!file) return;
    onLoaded(file.text);
    onSaid(file.text, t.study.loaded(file.name));
  };
  const trouble = [load, save].find((x) => x.isError);
  return (
    <>
      <Button onClick={() => load.mutate(undefined, { onSuccess: loaded })} data-testid="load-protocol">
        {t.study.load}
      </Button>
      <Button
        data-testid="save-protocol"
        onClick={() =>
          save.mutate(
            { name: t.study.fileName, text },
            { onSuccess: (path) => path !== '' && onSaid(text, t.study.savedAs(path)) },
          )
        }
      >
        {t.study.save}
      </Button>
      {trouble && <span className={form.wrong}>{troubleOf(trouble.error).text || t.fault.unknown}</span>}
    </>
  );
};
