// The chart library comes in a chunk of its own, when the first figure is shown.
import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TooltipComponent } from 'echarts/components';
import { type EChartsType, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';
import type { Ink, Option } from './charts';
import css from './report.module.css';

use([BarChart, CustomChart, LineChart, ScatterChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

/** Hit is what was clicked: the series by its id, and the place in it. */
export interface Hit {
  series: string;
  index: number;
}

interface Props {
  option: (ink: Ink) => Option;
  height: number;
  label: string;
  onPick?: (hit: Hit) => void;
  /** onReady gives what writes the figure as SVG; undefined when it is gone. */
  onReady: (svg: (() => string) | undefined) => void;
}

const ink: Ink = (token) => getComputedStyle(document.documentElement).getPropertyValue(token).trim();

const EChart = ({ option, height, label, onPick, onReady }: Props) => {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType>(undefined);
  const pick = useRef(onPick);
  pick.current = onPick;
  const ready = useRef(onReady);
  ready.current = onReady;
  useEffect(() => {
    if (!host.current) return;
    const made = init(host.current, null, { renderer: 'svg' });
    chart.current = made;
    made.on('click', (p) => pick.current?.({ series: String(p.seriesId ?? ''), index: p.dataIndex }));
    ready.current(() => made.renderToSVGString());
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(host.current);
    return () => {
      watch.disconnect();
      ready.current(undefined);
      made.dispose();
    };
  }, []);
  useEffect(() => {
    chart.current?.setOption(option(ink), true);
  }, [option]);
  return <div ref={host} className={css.echart} style={{ height }} role="img" aria-label={label} />;
};

export default EChart;
