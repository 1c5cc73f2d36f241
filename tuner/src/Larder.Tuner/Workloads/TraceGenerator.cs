using System.Globalization;
using Larder.Agent;

namespace Larder.Tuner.Workloads;

/// <summary>
/// Generates a trace with the statistics of a production cache, as in published studies: Zipf-distributed keys, the value sizes of the production mix, TTLs
/// from a minute to a day, a set shortly after each miss, scans over keys that are not requested again, and random arrivals with bursts. The same seed
/// generates the same trace.
/// </summary>
internal sealed class TraceGenerator(long seed)
{
    public const string Heading = "time,op,key,size,ttlMs";

    private const int Keys = 4000;
    private const double Zipf = 1.0;

    /// <summary>The fraction of calls that are sets because the source has changed, regardless of the content of the cache.</summary>
    private const double WriteRatio = 0.05;

    /// <summary>The calls per second outside and inside bursts. A burst lasts one second. On average, there is one burst every twenty seconds.</summary>
    private const double CalmPerSecond = 60;
    private const double BurstPerSecond = 600;
    private const double BurstSeconds = 1;
    private const double BurstEverySeconds = 20;

    /// <summary>The number of keys in a scan, and the average number of calls between scans.</summary>
    private const int ScanKeys = 120;
    private const int ScanEvery = 1500;

    /// <summary>The average response time of the data source after a miss.</summary>
    private const double FillSeconds = 0.003;

    private static readonly LoadWorkload s_sizes = LoadWorkload.Production with
    {
        // The TTL is one minute for values that change often, one hour for most values, and one day for values that hardly change.
        TtlMsMix = [[60_000, 25], [3_600_000, 60], [86_400_000, 15]],
    };

    private readonly LoadKeyChooser _chooser = new(Keys, Zipf);
    private readonly Dictionary<string, double> _expires = [];
    private readonly PriorityQueue<(string Key, int Index), double> _fills = new();
    private readonly List<string> _lines = [Heading];
    private LoadRandom _random = new(seed, 0);
    private double _now;
    private double _burstEnds;
    private double _nextBurst;
    private int _scanned;
    private int _scanLeft;

    /// <summary>Returns a trace of at least <paramref name="calls"/> calls as lines. The first line is the header.</summary>
    public IReadOnlyList<string> Lines(int calls)
    {
        _nextBurst = Exponential(BurstEverySeconds);
        while (_lines.Count <= calls)
        {
            Advance();
            if (_scanLeft == 0 && _random.Unit() < 1.0 / ScanEvery)
            {
                _scanLeft = ScanKeys;
            }

            Ask();
        }

        return _lines;
    }

    private void Advance()
    {
        if (_now >= _nextBurst)
        {
            _burstEnds = _now + BurstSeconds;
            _nextBurst = _burstEnds + Exponential(BurstEverySeconds - BurstSeconds);
        }

        _now += Exponential(1 / (_now < _burstEnds ? BurstPerSecond : CalmPerSecond));
        while (_fills.TryPeek(out (string Key, int Index) fill, out double at) && at <= _now)
        {
            _fills.Dequeue();
            Set(at, fill.Key, fill.Index);
        }
    }

    private void Ask()
    {
        // During a scan, on average half of the calls belong to the scan. The other calls choose their keys as usual.
        bool scanning = _scanLeft > 0 && _random.Unit() < 0.5;
        int index = scanning ? Keys + _scanned++ : _chooser.Next(ref _random);
        _scanLeft -= scanning ? 1 : 0;
        string key = (scanning ? "s" : "k") + index.ToString(CultureInfo.InvariantCulture);
        if (!scanning && _random.Unit() < WriteRatio)
        {
            Set(_now, key, index);
            return;
        }

        Write(_now, "get", key, index, "");
        if (!_expires.TryGetValue(key, out double expires) || expires <= _now)
        {
            // If a key is requested again before it is filled, it misses again and is filled twice, because callers do not wait for each other.
            _fills.Enqueue((key, index), _now + Exponential(FillSeconds));
        }
    }

    private void Set(double at, string key, int index)
    {
        TimeSpan ttl = s_sizes.TtlOf(index);
        _expires[key] = at + ttl.TotalSeconds;
        Write(at, "set", key, index, ttl.TotalMilliseconds.ToString(CultureInfo.InvariantCulture));
    }

    private void Write(double at, string op, string key, int index, string ttlMs) =>
        _lines.Add(string.Create(CultureInfo.InvariantCulture, $"{at:F3},{op},{key},{s_sizes.SizeOf(index)}{(ttlMs.Length > 0 ? "," : "")}{ttlMs}"));

    private double Exponential(double mean) => -Math.Log(1 - _random.Unit()) * mean;
}
