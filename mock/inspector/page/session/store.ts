import { useEffect, useState } from "preact/hooks";

/** One value, and those who want to know when it changes. */
export class Store<State extends object> {
  #state: State;
  readonly #listeners = new Set<(state: State) => void>();

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  change(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) listener(this.#state);
  }

  /** Calls a function after every change; returns a function that ends it. */
  watch(listener: (state: State) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** The state of a store, in a component that follows it. */
export function useStore<State extends object>(store: Store<State>): State {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.watch(setState);
  }, [store]);
  return state;
}

const kept = new Map<string, unknown>();

/** Like `useState`, but the value outlives the component: a tab that is left and come back to looks as before. */
export function useTabState<Value>(key: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(kept.has(key) ? (kept.get(key) as Value) : initial);
  const keep = (next: Value) => {
    kept.set(key, next);
    setValue(() => next);
  };
  return [value, keep];
}
