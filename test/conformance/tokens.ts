import type { ConformanceToken } from "../../conformance/index.ts";
import type { Mock } from "../../mock/index.ts";

/** Issues the tokens that a conformance run needs to observe everything. */
export function tokensOf(mock: Mock): readonly ConformanceToken[] {
  return (["oat", "pat", "oidc"] as const).map((kind) => ({ kind, token: mock.issueToken({ type: kind }) }));
}
