import { useState } from 'react';
import { troubleOf } from '../../backend/client';
import { useRules } from '../../backend/studying';
import type { Rules } from '../../lib/nouns';
import { t } from '../../lib/texts';
import { Trouble } from '../../ui/basics';
import { TabList } from '../../ui/TabList';
import { AgreementTab } from './AgreementTab';
import { ExportTab } from './ExportTab';
import { PackagesTab } from './PackagesTab';
import { ProgressTab } from './ProgressTab';
import { ProtocolTab } from './ProtocolTab';
import css from './study.module.css';

const tabs = ['protocol', 'progress', 'agreement', 'packages', 'export'] as const;
type Tab = (typeof tabs)[number];

/** StudyScreen is the coordinator's: the rules, who stands where, and how far readers agree. */
export const StudyScreen = ({ open, role }: { open: boolean; role: string }) => {
  const may = open && role === 'coordinator';
  const rules = useRules(may);
  if (!open) return <p className={css.alone}>{t.study.none}</p>;
  if (!may)
    return (
      <p className={css.alone} data-testid="study-refused">
        {t.study.refused}
      </p>
    );
  if (rules.isError) {
    return (
      <div className={css.alone}>
        <Trouble title={t.fault.title} text={troubleOf(rules.error).text || t.fault.unknown} />
      </div>
    );
  }
  if (!rules.data) return <p className={css.alone}>{t.loading}</p>;
  return <Tabs rules={rules.data} />;
};

const Tabs = ({ rules }: { rules: Rules }) => {
  const [tab, setTab] = useState<Tab>('protocol');
  return (
    <main className={css.screen} data-testid="study">
      <h1 className="hidden">{t.study.title}</h1>
      <TabList label={t.study.title} panel="study-panel" tabs={tabs} names={t.study.tabs} tab={tab} onTab={setTab} />
      <div id="study-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} className={css.panel}>
        {/* What is written in the protocol stays while another tab is looked at. */}
        <div hidden={tab !== 'protocol'} className={css.page}>
          <ProtocolTab rules={rules} />
        </div>
        {tab === 'progress' && <ProgressTab rules={rules} />}
        {tab === 'agreement' && <AgreementTab />}
        {tab === 'packages' && <PackagesTab />}
        {tab === 'export' && <ExportTab />}
      </div>
    </main>
  );
};
