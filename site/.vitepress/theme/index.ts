import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import CopyPage from "./copy-page.vue";
import Layout from "./layout.vue";
import Playground from "./playground.vue";
import "./style.css";
import "./operations.css";

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app }) {
    app.component("CopyPage", CopyPage);
    app.component("Playground", Playground);
  },
} satisfies Theme;
