import type { ReportDocument } from '../lib/report';
export const fakeReport = (): ReportDocument => ({ models: [] });
