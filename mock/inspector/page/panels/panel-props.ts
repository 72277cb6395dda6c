import type { MockData } from "../session/mock-data.ts";
import type { Session } from "../session/session.ts";

/** Props of every panel. */
export interface PanelProps {
  readonly data: MockData;
  readonly session: Session;
}
