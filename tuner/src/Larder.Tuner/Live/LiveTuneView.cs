using System.Diagnostics;
using Larder.Report.Runs;
using Larder.Tuner.Tune.Output;
using Spectre.Console;

namespace Larder.Tuner.Live;

/// <summary>Shows a run on a terminal. Redraws the screen after changes, at most ten times per second. The last screen remains visible.</summary>
internal sealed class LiveTuneView : ITuneView
{
    /// <summary>
    /// The interval between redraws. It is short enough to look continuous, and long enough not to affect the measurement, because drawing takes about 1 ms.
    /// </summary>
    private static readonly TimeSpan s_between = TimeSpan.FromMilliseconds(100);

    private readonly LiveScreen _screen = new();
    private readonly LiveDisplayContext _live;
    private long _drawn;

    private LiveTuneView(LiveDisplayContext live) => _live = live;

    /// <summary>
    /// Runs <paramref name="work"/> with a view. If <paramref name="live"/> is set, the view is a live screen. Otherwise the view writes lines to stderr, so
    /// that stdout contains only results.
    /// </summary>
    public static async Task<T> WhileAsync<T>(bool live, Func<ITuneView, Task<T>> work)
    {
        if (!live)
        {
            return await work(new PlainTuneView(Console.Error)).ConfigureAwait(false);
        }

        return await AnsiConsole.Live(new Text("starting")).StartAsync(context => work(new LiveTuneView(context))).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void OnStart(TunedClient client, TuneTarget target, TunedWorkload workload, TimeSpan? atMost) =>
        Draw(() => _screen.OnStart(client, target, workload, atMost), now: true);

    /// <inheritdoc/>
    public void OnBegin(TunedClient client, TuneTarget target, TunedWorkload workload) => Draw(() => _screen.OnBegin(client, target, workload), now: true);

    /// <inheritdoc/>
    public void OnStepStarted(LoadStep step) => Draw(() => _screen.OnStepStarted(step));

    /// <inheritdoc/>
    public void OnProgress(LoadSecond second) => Draw(() => _screen.OnProgress(second));

    /// <inheritdoc/>
    public void OnRung(SearchRung rung) => Draw(() => _screen.OnRung(rung));

    /// <inheritdoc/>
    public void OnKnee(SearchRung? knee, string why) => Draw(() => _screen.OnKnee(knee, why), now: true);

    /// <inheritdoc/>
    public void OnRate(RateStep step, TuneTarget target) => Draw(() => _screen.OnRate(step, target), now: true);

    /// <inheritdoc/>
    public void OnAnswer(ProvedRate? proved, string sentence) => Draw(() => _screen.OnAnswer(proved, sentence), now: true);

    /// <inheritdoc/>
    public void OnAdaptive(AdaptiveRow row) => Draw(() => _screen.OnAdaptive(row));

    /// <inheritdoc/>
    public void OnTimeLeft(double done, TimeSpan left) => Draw(() => _screen.OnTimeLeft(done, left));

    /// <inheritdoc/>
    public void OnNote(string note) => Draw(() => _screen.OnNote(note));

    /// <inheritdoc/>
    public void OnEnd(TuneRun run) => Draw(() => _screen.OnEnd(run), now: true);

    private void Draw(Action change, bool now = false)
    {
        change();
        if (now || Stopwatch.GetElapsedTime(_drawn) >= s_between)
        {
            _drawn = Stopwatch.GetTimestamp();
            _live.UpdateTarget(_screen.Render());
        }
    }
}
