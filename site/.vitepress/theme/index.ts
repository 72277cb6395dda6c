import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme";
import { searchOptions } from "../../search/search-options.ts";
import CopyPage from "./copy-page.vue";
import Layout from "./layout.vue";
import "./style.css";
import "./operations.css";
import "./tables.css";

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app, siteData }) {
    // VitePress writes functions in the configuration as text, without the imports that they use.
    siteData.value.themeConfig.search.options.miniSearch = { searchOptions };
    app.component("CopyPage", CopyPage);
  },
} satisfies Theme;
