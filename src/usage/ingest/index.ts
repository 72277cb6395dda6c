export { ingestAll } from "./ingest-all.ts";
export type { IngestAllOptions, IngestProgress, IngestReport, RejectedAt } from "./options.ts";
