import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectDefaultMetrics } from 'prom-client';
import { parse } from 'yaml';
import { watchBacklog } from '../../../src/metrics/backlog-metrics';
import { Metrics } from '../../../src/metrics/metrics';
import { projectRoot } from '../../../src/paths';
import { BACKLOG_KINDS } from '../../../src/persistence/read-models/backlog';
import { findPromtool, namedPromtool } from '../../support/processes/prometheus';
import { readProjectFile } from '../project/project-files';
import { CONDITIONS, HEALTHY } from './alert-conditions';

const RULES = 'docs/operations/alerts.yaml';
const DASHBOARD = 'docs/operations/dashboard.json';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const { groups } = parse(readProjectFile(RULES)) as { groups: Array<{ rules: Rule[] }> };
const rules = groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readProjectFile(DASHBOARD)) as {
  readonly panels: ReadonlyArray<{ readonly title: string; readonly targets?: Array<{ expr: string }> }>;
};
const expressions = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
];

/** The label names of each series that a process exports itself. */
function exportedSeries(): ReadonlyMap<string, readonly string[]> {
  const metrics = new Metrics();
  metrics.watchPool(() => ({ used: 0, idle: 0, waiting: 0, max: 1 }));
  watchBacklog(metrics, () => Promise.resolve({ waiting: [], circuits: [] }));
  collectDefaultMetrics({ register: metrics.registry });
  return new Map(
    metrics.registry.getMetricsAsArray().flatMap((metric) => {
      const { name, labelNames } = metric as unknown as { name: string; labelNames: string[] };
      return ['', '_bucket', '_count', '_sum'].map((suffix) => [`${name}${suffix}`, labelNames] as const);
    }),
  );
}

const OWN_SERIES = /\b(?:payment_engine|process|nodejs)_\w+/g;
/** Those that Prometheus adds to every series. */
const ADDED_LABELS = ['job', 'instance', 'le'];

describe('the alert rules and the Grafana dashboard', () => {
  const exported = exportedSeries();

  it('name only series that processes export', () => {
    const named = expressions.flatMap((expr) => expr.match(OWN_SERIES) ?? []);
    expect(named.length).toBeGreaterThan(expressions.length / 2);
    expect(named.filter((name) => !exported.has(name))).toEqual([]);
  });

  it('select only by labels that those series have', () => {
    const wrong = expressions
      .flatMap((expr) => [...expr.matchAll(/(\w+)\{([^}]*)\}/g)])
      .filter(([, name = '']) => exported.has(name))
      .flatMap(([, name = '', selectors = '']) =>
        [...selectors.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)]
          .map(([, label = '']) => label)
          .filter((label) => ![...(exported.get(name) ?? []), ...ADDED_LABELS].includes(label)),
      );
    expect(wrong).toEqual([]);
  });

  it('name only kinds of waiting work that exist', () => {
    const named = expressions.flatMap((expr) =>
      [...expr.matchAll(/backlog\w+\{kind="(\w+)"/g)].map(([, kind = '']) => kind),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((kind) => !(BACKLOG_KINDS as readonly string[]).includes(kind))).toEqual([]);
  });

  it('have an entry in the runbook for each alert, with its summary and severity, and no other', () => {
    const runbook = readProjectFile('docs/operations/alerts.md');
    const titles = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(titles).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, labels, annotations } of rules)
      expect(runbook).toContain(`## ${alert}\n\n${annotations.summary} (${labels.severity})\n`);
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/operations/alerts.md#${alert.toLowerCase()}`);
  });
});

describe('the conditions of the alerts', () => {
  it('are given for each alert, by series that processes export', () => {
    expect(Object.keys(CONDITIONS)).toEqual(rules.map(({ alert }) => alert));
    const exported = exportedSeries();
    const given = [HEALTHY, ...Object.values(CONDITIONS)].flat().map(([series]) => series);
    const wrong = given.filter((series) => {
      const [, name = '', labels = ''] = /^(\w+)\{(.*)\}$/.exec(series) ?? [];
      if (/^(up$|temporal_)/.test(name)) return false;
      const known = [...(exported.get(name) ?? []), ...ADDED_LABELS];
      const used = [...labels.matchAll(/(\w+)=/g)].map(([, label = '']) => label);
      return !exported.has(name) || used.some((label) => !known.includes(label));
    });
    expect(wrong).toEqual([]);
  });

  const program = findPromtool();
  if (program === null) {
    it('is left out, because the program promtool is missing', () => expect(namedPromtool).toBeUndefined());
    return;
  }

  it('are accepted by promtool, make each alert fire, and no alert fires in a healthy deployment', () => {
    const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
    try {
      const file = join(folder, 'alerts.test.json');
      writeFileSync(file, JSON.stringify({ rule_files: [join(projectRoot, RULES)], tests: ruleTests() }));
      const run = (args: readonly string[]): string => execFileSync(program, args, { encoding: 'utf8' });
      expect(run(['check', 'rules', join(projectRoot, RULES)])).toContain(`${rules.length} rules found`);
      expect(run(['test', 'rules', file])).toContain('SUCCESS');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** In promtool's format, which is YAML and so may be JSON. After an hour exactly the alert of the condition fires. */
function ruleTests(): object[] {
  const firing = 'count by (alertname) (ALERTS{alertstate="firing"})';
  const test = (alert: string | null, series: typeof HEALTHY): object => ({
    name: alert ?? 'healthy',
    interval: '1m',
    input_series: series.map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: firing,
        eval_time: '1h',
        exp_samples: alert === null ? [] : [{ labels: `{alertname="${alert}"}`, value: 1 }],
      },
    ],
  });
  return [test(null, HEALTHY), ...Object.entries(CONDITIONS).map(([alert, series]) => test(alert, series))];
}
