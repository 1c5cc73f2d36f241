// Shows a Mermaid diagram. Only pages with a diagram load the Mermaid library.
// If the browser does not run scripts, the page shows the source of the diagram.
import { useData, withBase } from 'vitepress';
import { defineComponent, h, onMounted, ref, watch } from 'vue';

let loading;
let count = 0;

function mermaid() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = withBase('/assets/mermaid.js');
    script.onload = () => resolve(globalThis.mermaid);
    script.onerror = reject;
    document.head.append(script);
  });
  return loading;
}

export const Diagram = defineComponent({
  props: { source: { type: String, required: true } },
  setup(props) {
    const { isDark } = useData();
    const svg = ref('');
    const source = decodeURIComponent(props.source);
    const draw = async () => {
      const library = await mermaid();
      library.initialize({ startOnLoad: false, theme: isDark.value ? 'dark' : 'neutral' });
      svg.value = (await library.render(`diagram-${++count}`, source)).svg;
    };
    onMounted(draw);
    watch(isDark, draw);
    return () => (svg.value ? h('div', { class: 'diagram', innerHTML: svg.value }) : h('pre', { class: 'diagram' }, source));
  },
});
