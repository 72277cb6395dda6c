export { diffContracts } from "./diff-contracts.ts";
export type { Difference, DifferenceArea } from "./difference.ts";
export { formatMarkdown } from "./format-markdown.ts";
export { formatDifference, formatText } from "./format-text.ts";
export { countDifferences } from "./group-differences.ts";
