import type { Data } from "../data.ts";
import type { Session } from "../session/session.ts";

/** Props of every panel. */
export interface PanelProps {
  readonly data: Data;
  readonly session: Session;
}
