using System.Globalization;
using Larder.Report.Drawing;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Tune.Output;

namespace Larder.Tuner.Tune.Rounds;

/// <summary>
/// Collects the latencies of rounds over the time of the run, in slices. A slice is 0.1 s or 0.2 s long, or longer if it would otherwise contain too few calls.
/// Short slices show when a stall occurred.
/// </summary>
internal sealed class LatencyTimeline
{
    /// <summary>The minimum number of calls in a slice. With fewer calls, a single call would be more than 1 % of the slice.</summary>
    public const int MinCalls = 100;

    // Guards the slices, because an interruption reads them on another thread.
    private readonly Lock _lock = new();
    private readonly List<TimeSlice> _slices = [];

    /// <summary>Gets the slices so far, in order of time.</summary>
    public IReadOnlyList<TimeSlice> Slices
    {
        get
        {
            lock (_lock)
            {
                return [.. _slices];
            }
        }
    }

    /// <summary>Returns the slice length to request for a round of the given length, in ms: 200, or 100 for a short round.</summary>
    public static int SliceMs(double seconds) => seconds >= 1 ? 200 : 100;

    /// <summary>Adds a round that began <paramref name="began"/> seconds after the start of the run.</summary>
    public void Add(LoadStep step, double began, Round round)
    {
        string name = step.RatePerSecond is { } rate
            ? Show.Short(rate) + "/s"
            : string.Create(CultureInfo.InvariantCulture, $"{step.Callers:N0} callers");
        // Slices may be shorter than a column of the timeline. The factor allows for inaccurate timers.
        double minSeconds = SliceMs(round.MeasuredSeconds) / 1000.0 * 0.95;
        (double from, IReadOnlyList<HeatCell>? cells) = (0.0, (IReadOnlyList<HeatCell>)[]);
        IReadOnlyList<(double EndSeconds, IReadOnlyList<HeatCell> Cells)> pieces =
            round.Slices.Count > 0 ? round.Slices : [(round.MeasuredSeconds, RoundFigures.Cells(round.Histogram))];
        for (int i = 0; i < pieces.Count; i++)
        {
            (double end, IReadOnlyList<HeatCell>? more) = pieces[i];
            cells = TimeSlice.Together(cells, more);
            if (
                i < pieces.Count - 1
                && (end - from < minSeconds
                    || cells.Sum(cell => cell.Count) < MinCalls
                    || pieces.Skip(i + 1).Sum(piece => piece.Cells.Sum(cell => cell.Count)) < MinCalls))
            {
                continue;
            }

            var slice = new TimeSlice
            {
                AtSeconds = Math.Round(began + from, 3),
                Seconds = Math.Round(end - from, 3),
                Phase = step.Phase,
                Step = name,
                Cells = cells,
            };
            lock (_lock)
            {
                _slices.Add(slice);
            }

            (from, cells) = (end, []);
        }
    }
}
