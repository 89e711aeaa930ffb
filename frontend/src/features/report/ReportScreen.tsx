import { troubleOf } from '../../backend/client';
import { useReport } from '../../backend/queries';
import { t } from '../../lib/texts';
import { Trouble } from '../../ui/basics';

/** ReportScreen shows accuracy beside grounding and never blends them. */
export const ReportScreen = ({ open }: { open: boolean }) => {
  const report = useReport();
  if (!open) return <p style={{ padding: 24 }}>{t.library.noCases}</p>;
  if (report.isError)
    return <Trouble title={t.report.refused} text={troubleOf(report.error).text || t.fault.unknown} />;
  return <p style={{ padding: 24 }}>{t.report.loading}</p>;
};
