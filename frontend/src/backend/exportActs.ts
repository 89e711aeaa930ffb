import type { Exported, ExportFormat, ExportOrder } from '../lib/nouns';

/** ExportActs are the acts of the Export tab. */
export interface ExportActs {
  exportFormats(): Promise<ExportFormat[]>;
  /** exportAs writes into a folder of its own in the order's dir. */
  exportAs(order: ExportOrder): Promise<Exported>;
}
