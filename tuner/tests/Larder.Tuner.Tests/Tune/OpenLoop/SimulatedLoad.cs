using Larder.Agent;
using Larder.Harness.Clocks;
using Larder.Report.Runs;
using Larder.Tuner.Bench;
using Larder.Tuner.Machine;
using Larder.Tuner.Tune.OpenLoop;
using Larder.Tuner.Tune.Output;
using Larder.Tuner.Tune.Rounds;
using Larder.Tuner.Tune.UnderTest;

namespace Larder.Tuner.Tests.Tune.OpenLoop;

/// <summary>
/// Simulates a client and a server in virtual time. Calls arrive at random and are served one at a time. The client pauses at random times, as for a garbage
/// collection. The machine may stall; the round then contains the stalls, as if a stall meter had recorded them. Other programs may use a part of the
/// machine. All times are in seconds.
/// </summary>
internal sealed class SimulatedLoad(int seed, ManualTime clock) : IScheduledLoad
{
    public const double Service = 0.0001;
    public const double Capacity = 1 / Service;
    private const int SmallestCap = 5;
    private const double PausesPerSecond = 4;
    private const double PauseSeconds = 0.0025;
    private const double OverheadSeconds = 0.4;
    private const double FewestStalls = 1;
    private const double MostStalls = 30;
    private const double StallsOf = 4;
    private readonly long _begun = clock.GetTimestamp();
    private LoadRandom _random = new(seed, 0);

    public ManualTime Clock => clock;

    public TimeBudget? Budget { get; set; }

    /// <summary>Gets whether the machine stalls: 1 to 30 times in four seconds, for 5 to 17 ms each.</summary>
    public bool Stalls { get; init; }

    /// <summary>Gets the function that returns whether other programs use a third of the machine at a given time.</summary>
    public Func<double, bool> IsNoisy { get; init; } = _ => false;

    /// <summary>Gets the minimum latency of a call.</summary>
    public double Transit { get; init; }

    public ClientVariant Variant { get; } = new("dotnet", "pipeline");

    public Task<Round> RunAsync(LoadStep step, OfferedLoad load)
    {
        double stalls = Stalls ? FewestStalls * Math.Pow(MostStalls / FewestStalls, _random.Unit()) / StallsOf : 0;
        Round round = Run(load.RatePerSecond!.Value, load.Cap!.Value, load.WarmupSeconds, load.Seconds, stalls);
        var took = TimeSpan.FromSeconds(OverheadSeconds + load.WarmupSeconds + load.Seconds);
        clock.Advance(took);
        Budget?.OnRound(took, load.Seconds + load.WarmupSeconds - OfferedLoad.UsualWarmupSeconds);
        return Task.FromResult(round);
    }

    public void ShowTimeLeft(TimeSpan left)
    {
    }

    public Task WaitForQuietAsync()
    {
        clock.Advance(TimeSpan.FromSeconds(0.5));
        return Task.CompletedTask;
    }

    /// <summary>Runs a load. The measured time begins after the warm-up.</summary>
    public Round Run(double rate, int cap, double warmup, double seconds, double stallsPerSecond)
    {
        bool noisy = IsNoisy(clock.GetElapsedTime(_begun).TotalSeconds);
        double service = Service * Math.Max(1, (double)SmallestCap / cap) * (noisy ? 1.5 : 1);
        List<(double From, double To, bool IsStall)> blocked =
        [
            .. Times(PausesPerSecond, warmup + seconds).Select(at => (at, at + PauseSeconds, false)),
            .. Times(stallsPerSecond, warmup + seconds).Select(at => (at, at + StallLength(), true)),
        ];
        blocked.Sort();
        (LoadHistogram all, LoadHistogram late) = (new(), new());
        var slices = new SortedDictionary<int, SortedDictionary<int, long>>();
        (double freeAt, int next, long done) = (0, 0, 0);
        for (double due = Gap(rate); due < warmup + seconds; due += Gap(rate))
        {
            double begin = Math.Max(due, freeAt);
            double left = service;
            for (; next < blocked.Count && blocked[next].From < begin + left; next++)
            {
                (double from, double to, _) = blocked[next];
                left -= Math.Max(0, Math.Min(from - begin, left));
                begin = Math.Max(begin, to);
            }

            freeAt = begin + left;
            if (due < warmup)
            {
                continue;
            }

            double latency = freeAt - due + Transit;
            all.Record((long)(latency * 1e9));
            late.Record(20_000);
            double end = Math.Min(freeAt + Transit - warmup, seconds - 1e-9);
            done += freeAt + Transit - warmup <= seconds ? 1 : 0;
            int slice = (int)(end * 1000 / QuietTime.SliceMs);
            if (!slices.TryGetValue(slice, out SortedDictionary<int, long>? cells))
            {
                slices[slice] = cells = [];
            }

            int bucket = LoadSlices.BucketOf(LoadHistogram.ValueOf(LoadHistogram.IndexOf((long)(latency * 1e9))) / 1000.0);
            cells[bucket] = cells.GetValueOrDefault(bucket) + 1;
        }

        return new()
        {
            RequestsPerSecond = done / seconds,
            Histogram = all,
            ServiceHistogram = all,
            LateHistogram = late,
            Hits = 0,
            Misses = 0,
            Errors = new Dictionary<string, long>(),
            ClientCpu = 0.5,
            ServerCpu = 0.5,
            OthersCpu = noisy ? 0.7 : 0.02,
            MeasuredSeconds = seconds,
            Stalls = StallsOfRound(blocked, seconds),
            StallPeriods = [.. blocked.Where(one => one.IsStall).Select(one => new StallPeriod(one.From - warmup, one.To - warmup))],
            Slices =
            [
                .. Enumerable.Range(0, (int)Math.Ceiling(seconds * 1000 / QuietTime.SliceMs))
                    .Select(i => (
                        Math.Min(seconds, (i + 1) * QuietTime.SliceMs / 1000.0),
                        (IReadOnlyList<HeatCell>)
                        [
                            .. (slices.GetValueOrDefault(i) ?? []).Select(cell => new HeatCell(cell.Key, cell.Value)),
                        ])),
            ],
        };
    }

    private static MachineStalls StallsOfRound(List<(double From, double To, bool IsStall)> blocked, double seconds)
    {
        double[] lengths = [.. blocked.Where(one => one.IsStall).Select(one => one.To - one.From)];
        return new()
        {
            Seconds = seconds,
            Over5Ms = lengths.Length,
            WorstUs = lengths.Length > 0 ? lengths.Max() * 1e6 : 0,
            P999Us = 100,
            SecondsOver1Ms = lengths.Sum(),
            SecondsOver5Ms = lengths.Sum(),
        };
    }

    private double StallLength() => Math.Min(0.017, 0.005 + Gap(500));

    private List<double> Times(double perSecond, double until)
    {
        var times = new List<double>();
        for (double at = perSecond > 0 ? Gap(perSecond) : until; at < until; at += Gap(perSecond))
        {
            times.Add(at);
        }

        return times;
    }

    private double Gap(double rate) => -Math.Log(1 - _random.Unit()) / rate;
}
