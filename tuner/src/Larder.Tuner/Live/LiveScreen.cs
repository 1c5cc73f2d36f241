using System.Globalization;
using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Report.Tables;
using Larder.Tuner.Tune.Output;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace Larder.Tuner.Live;

/// <summary>The state of a run, and its rendering for a terminal. This class does not write to the terminal.</summary>
internal sealed class LiveScreen : ITuneView
{
    /// <summary>
    /// The number of rungs in the table. This leaves space for the rest of the screen on a terminal of 40 lines. The sparklines show all rungs.
    /// </summary>
    private const int ListedRungs = 10;

    /// <summary>The number of most recent notes shown.</summary>
    private const int ListedNotes = 3;

    /// <summary>The length of the progress bar in characters.</summary>
    private const int BarLength = 40;

    private readonly SortedDictionary<(int Channels, int Callers), SearchRung> _rungs = [];
    private readonly List<RateStep> _rates = [];
    private readonly List<AdaptiveRow> _adaptive = [];
    private readonly List<string> _notes = [];
    private readonly List<string> _knees = [];
    private readonly List<string> _answers = [];
    private string _title = "starting";
    private TuneTarget _target = new(0.999, double.PositiveInfinity);
    private LoadStep? _step;
    private LoadSecond? _second;
    private double _done;
    private TimeSpan _left;
    private bool _ended;

    /// <inheritdoc/>
    public void OnStart(TunedClient client, TuneTarget target, TunedWorkload workload, TimeSpan? atMost)
    {
        OnBegin(client, target, workload);
        _left = atMost ?? _left;
    }

    /// <inheritdoc/>
    public void OnBegin(TunedClient client, TuneTarget target, TunedWorkload workload) =>
        (_title, _target) = (
            $"{client.Language} ({client.Transport}) · {target.Name()} < {Show.ShortUs(target.LimitUs)} · {workload.Name} workload · {client.Network}",
            target);

    /// <inheritdoc/>
    public void OnStepStarted(LoadStep step) => (_step, _second) = (step, null);

    /// <inheritdoc/>
    public void OnProgress(LoadSecond second) => _second = second.Second > 0 ? second : _second;

    /// <inheritdoc/>
    public void OnRung(SearchRung rung) => _rungs[(rung.Channels, rung.Callers)] = rung;

    /// <inheritdoc/>
    public void OnKnee(SearchRung? knee, string why) => _knees.Add($"{(knee is null ? "no knee" : "knee")}: {why}");

    /// <inheritdoc/>
    public void OnRate(RateStep step, TuneTarget target) => _rates.Add(step);

    /// <inheritdoc/>
    public void OnAnswer(ProvedRate? proved, string sentence) => _answers.Add(sentence);

    /// <inheritdoc/>
    public void OnAdaptive(AdaptiveRow row) => _adaptive.Add(row);

    /// <inheritdoc/>
    public void OnTimeLeft(double done, TimeSpan left) => (_done, _left) = (Math.Clamp(done, 0, 1), left > TimeSpan.Zero ? left : TimeSpan.Zero);

    /// <inheritdoc/>
    public void OnNote(string note) => _notes.Add(note);

    /// <inheritdoc/>
    public void OnEnd(TuneRun run) => _ended = true;

    /// <summary>Renders the current state.</summary>
    public IRenderable Render()
    {
        var lines = new List<IRenderable> { new Markup($"[bold]tuning {_title.EscapeMarkup()}[/]") };
        if (!_ended)
        {
            lines.Add(new Markup(Progress()));
            lines.Add(new Markup(Now().EscapeMarkup()));
        }

        if (_rungs.Count > 0)
        {
            lines.Add(Sparklines());
            lines.Add(Rungs());
        }

        lines.AddRange(_knees.Select(knee => new Markup($"[bold green]{knee.EscapeMarkup()}[/]")));
        if (_rates.Count > 0)
        {
            lines.Add(Rates());
        }

        lines.AddRange(_answers.Select(answer => new Markup($"[bold green]{answer.EscapeMarkup()}[/]")));

        if (_adaptive.Count > 0)
        {
            lines.Add(Adaptive());
        }

        lines.AddRange(_notes.TakeLast(ListedNotes).Select(note => new Markup($"[yellow]note: {note.EscapeMarkup()}[/]")));
        return new Rows(lines);
    }

    private string Progress()
    {
        int filled = (int)(_done * BarLength);
        return string.Create(
            CultureInfo.InvariantCulture,
            $"[green]{new string('━', filled)}[/][grey]{new string('━', BarLength - filled)}[/] {_done * 100:F0} %, about "
                + $"{(int)_left.TotalMinutes}:{_left.Seconds:D2} left");
    }

    private string Now() => _step is null ? "starting" : Step(_step) + (_second is { } second
        ? $" · {Show.Count(second.Requests)}/s, p50 {Show.Us(second.P50Us)}, p99 {Show.Us(second.P99Us)}, p99.9 "
            + $"{Show.Us(second.P999Us)}{(second.Errors > 0 ? $", {Show.Count(second.Errors)} errors" : "")}"
        : "");

    private static string Step(LoadStep step)
    {
        string channels = step.Channels > 0 ? $" over {step.Channels} channels" : "";
        string pass = step.Passes > 1 ? $", pass {step.Pass} of {step.Passes}" : "";
        return step.Phase switch
        {
            TunePhase.WarmUp => "warming up",
            TunePhase.Rate =>
                $"{step.Kind?.ToString().ToLowerInvariant()}: {Show.Count(step.RatePerSecond)} scheduled calls/s, limit {Show.Count(step.Callers)}",
            TunePhase.Channels => $"channels: {Show.Count(step.Callers)} in flight{channels}{pass}",
            TunePhase.Adaptive => $"adaptive limit{pass}",
            _ => $"search: {Show.Count(step.Callers)} in flight{channels}{pass}",
        };
    }

    /// <summary>Renders sparklines: one for each measured value and number of channels. Each sparkline shows the rungs in ascending order of callers.</summary>
    private Table Sparklines()
    {
        Table table = Bare("", "over concurrency", "", "");
        foreach (IGrouping<int, SearchRung> group in _rungs.Values.GroupBy(rung => rung.Channels))
        {
            SearchRung[] rungs = group.ToArray();
            string channels = _rungs.Values.Any(rung => rung.Channels != group.Key) ? $", {group.Key} ch." : "";
            SearchRung best = rungs.MaxBy(rung => rung.RequestsPerSecond)!;
            table.AddRow(
                $"calls/s{channels}",
                $"[blue]{Sparkline.Of(rungs.Select(rung => (double?)rung.RequestsPerSecond))}[/]",
                "best",
                $"{Show.Count(best.RequestsPerSecond)} at {Show.Count(best.Callers)}");
            AddLatency(table, "p50" + channels, rungs, rung => rung.P50Us, _target.Quantile == 0.5);
            AddLatency(table, "p99" + channels, rungs, rung => rung.P99Us, _target.Quantile == 0.99);
            AddLatency(table, "p99.9" + channels, rungs, rung => rung.P999Us, _target.Quantile == 0.999);
        }

        return table;
    }

    private void AddLatency(Table table, string name, SearchRung[] rungs, Func<SearchRung, double> figure, bool isTarget)
    {
        string bars = Sparkline.Of(rungs.Select(rung => (double?)figure(rung)), logarithmic: true);
        string coloured = string.Concat(bars.Select((bar, index) => isTarget && figure(rungs[index]) > _target.LimitUs ? $"[red]{bar}[/]" : $"[teal]{bar}[/]"));
        table.AddRow(name, coloured, "range", $"{Show.Us(rungs.Min(figure))} … {Show.Us(rungs.Max(figure))}");
    }

    private Table Rungs()
    {
        Table table = Bare("in flight", "calls/s", "p50", "p99", "p99.9", "limited by");
        var newest = _rungs.Values.ToList();
        // Selects the rungs to list: the current rung, the rung after it, and the nearest rungs before it. If these do not fill the table, further rungs after
        // the current one are added.
        int at = newest.FindIndex(rung => rung.Callers == _step?.Callers && (_step.Channels == rung.Channels || rung.Channels == 0));
        int first = Math.Clamp((at < 0 ? newest.Count : at + 2) - ListedRungs, 0, Math.Max(0, newest.Count - ListedRungs));
        foreach (SearchRung? rung in newest.Skip(first).Take(ListedRungs))
        {
            bool over = rung.Middle(one => one.Latency.AtUs(_target.Quantile)) > _target.LimitUs;
            table.AddRow(
                (Show.Count(rung.Callers) + (rung.Channels > 0 ? $" × {rung.Channels} ch." : "")).EscapeMarkup(),
                Show.Count(rung.RequestsPerSecond) + (rung.Noisy ? " ~" : ""),
                Show.Us(rung.P50Us),
                Show.Us(rung.P99Us),
                over ? $"[red]{Show.Us(rung.P999Us)}[/]" : Show.Us(rung.P999Us),
                (rung.Verdict is { } verdict ? RunTables.Name(verdict.Limit) : "").EscapeMarkup());
        }

        return table;
    }

    private Table Rates()
    {
        Table table = Bare("on a schedule", "scheduled/s", "limit", "latency", "from", "to", "completed/s", "worst stall", "limited by");
        foreach (RateStep step in _rates.TakeLast(ListedRungs))
        {
            string felt = Show.Us(step.TargetUs);
            table.AddRow(
                step.Name,
                Show.Count(step.RatePerSecond),
                Show.Count(step.Cap),
                step.Miss is null ? felt : $"[red]{felt}[/]",
                Show.Us(step.LowUs),
                Show.Us(step.HighUs),
                Show.Count(step.Measured.RequestsPerSecond) + (step.Measured.Noisy ? " ~" : ""),
                Show.Us(step.Measured.Stalls?.WorstUs),
                (step.Verdict is { } verdict ? RunTables.Name(verdict.Limit) : "").EscapeMarkup());
        }

        return table;
    }

    private Table Adaptive()
    {
        Table table = Bare("adaptive limit", "limit", "calls/s", "p50", "p99.9", "limit from", "to");
        foreach (AdaptiveRow row in _adaptive)
        {
            table.AddRow(
                row.Scenario.EscapeMarkup(),
                row.Cap.EscapeMarkup(),
                Show.Count(row.Measured.RequestsPerSecond),
                Show.Us(row.Measured.Latency.P50Us),
                Show.Us(row.Measured.Latency.P999Us),
                Show.Count(row.Range?.Lowest),
                Show.Count(row.Range?.Highest));
        }

        return table;
    }

    private static Table Bare(params string[] headers)
    {
        Table table = new Table().Border(TableBorder.None);
        foreach ((string? header, int index) in headers.Select((header, index) => (header, index)))
        {
            bool left = header is "" or "over concurrency" or "limited by" or "on a schedule" or "adaptive limit" or "limit";
            table.AddColumn(
                new TableColumn($"[grey]{header.EscapeMarkup()}[/]")
                {
                    NoWrap = true,
                    Alignment = left ? Justify.Left : Justify.Right,
                    Padding = new Padding(0, 0, 2, 0),
                });
        }

        return table;
    }
}
