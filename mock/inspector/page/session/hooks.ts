import { useEffect, useState } from "preact/hooks";
import type { ResultOf } from "../../../control/client.ts";
import type { ControlRoutes } from "../../../control/routes.ts";
import type { PanelProps } from "./session.ts";

/** Calls a route whenever the mock changes, and also every so many milliseconds. Returns its last result. */
export function useRoute<Key extends keyof ControlRoutes>(
  key: Key,
  { data: { revision }, session }: PanelProps,
  every?: number,
): ResultOf<Key> | undefined {
  const [result, setResult] = useTabState<ResultOf<Key> | undefined>(key, undefined);
  useEffect(() => {
    // The connection banner already tells when the server cannot be reached.
    const load = () => void session.api(key).then(setResult, () => {});
    load();
    const timer = every === undefined ? undefined : setInterval(load, every);
    return () => clearInterval(timer);
  }, [revision, session]);
  return result;
}

const values = new Map<string, unknown>();

/** Like `useState`, but the value is restored when the user returns to the tab. */
export function useTabState<Value>(key: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(values.has(key) ? (values.get(key) as Value) : initial);
  const save = (next: Value) => {
    values.set(key, next);
    setValue(() => next);
  };
  return [value, save];
}
