import type { PlaygroundContent } from "../link/content.ts";
import type { PlaygroundData } from "../playground-data.ts";
import type { MockSession } from "./session/mock-session.ts";
import type { Verifier } from "./session/verify-delivery.ts";

/** What the parts of the page share. */
export interface Playground {
  readonly data: PlaygroundData;
  readonly session: MockSession;
  readonly content: PlaygroundContent;
  readonly edit: (changes: Partial<PlaygroundContent>) => void;
  /** Tells the reader, also through a screen reader, what happened. */
  readonly announce: (text: string) => void;
  /** Shows the page again after the mock has changed. */
  readonly refresh: () => void;
  /** The function `verifyWebhook` of each version. */
  readonly verifiers: ReadonlyMap<string, Verifier>;
  /** The URL of the script that runs programs. */
  readonly workerScript: string;
}

/** The props of a part of the page. */
export interface PlaygroundProps {
  readonly playground: Playground;
}
