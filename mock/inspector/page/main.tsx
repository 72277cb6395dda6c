import { render } from "preact";
import { App } from "./app.tsx";
import { Session } from "./session/session.ts";

const session = new Session();
render(<App session={session} />, document.getElementById("app") as HTMLElement);
void session.follow();
