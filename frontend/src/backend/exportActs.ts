import type { Exported, ExportFormat, ExportOrder, PooledSites } from '../lib/nouns';

/** ExportActs are the acts of the Export tab. */
export interface ExportActs {
  exportFormats(): Promise<ExportFormat[]>;
  /** exportAs writes into a folder of its own in the order's dir. */
  exportAs(order: ExportOrder): Promise<Exported>;
  /** chooseList asks for a list of a split or a manifest; '' where none was chosen. */
  chooseList(title: string): Promise<string>;
  /** poolSites adds up what lies in folders that sites gave each other. */
  poolSites(dirs: string[]): Promise<PooledSites>;
}
