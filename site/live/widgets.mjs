// The widget manager, for sliders of cells that were run on the page.  The
// package's main entry would bring code that needs `eval`.
import "@lumino/widgets/style/index.css";
import "@jupyter-widgets/base/css/index.css";
import "@jupyter-widgets/controls/css/widgets.built.css";
export { HTMLManager } from "@jupyter-widgets/html-manager/lib/htmlmanager";
