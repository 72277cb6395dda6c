import type { TokenOperations } from "../routes/tokens.ts";
import type { HandlersOf } from "./handler.ts";

export const tokenHandlers: HandlersOf<TokenOperations> = {
  issue: ({ body }, { mock }) => ({ token: mock.issueToken(body) }),
  revoke: ({ body }, { mock }) => mock.revokeToken(body.token),
};
