import { afterEach, vi } from "vitest";

// Undoes what a test has replaced: timers and the clock, methods, globals and environment variables.
afterEach(() => void vi.useRealTimers().restoreAllMocks().unstubAllGlobals().unstubAllEnvs());
