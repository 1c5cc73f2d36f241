using System.Diagnostics;
using System.Globalization;
using System.Text;

namespace Larder.Agent;

/// <summary>A recorded sequence of calls. It is replayed in order and repeated from the beginning. See <c>conformance/AGENT.md</c>, "Trace".</summary>
internal sealed class LoadTrace
{
    /// <summary>The maximum number of lines in a file. A longer file is rejected, not truncated.</summary>
    private const int MaxLines = 5_000_000;

    private readonly LoadTraceCall[] _calls;
    private readonly double[] _times;
    private readonly double _period;
    private long _taken = -1;

    private LoadTrace(List<LoadTraceCall> calls, List<double> times)
    {
        (_calls, _times) = ([.. calls], [.. times]);
        double span = _times[^1] - _times[0];
        // The time from the first call of one repetition to the first call of the next. The gap between the repetitions is the average gap of the trace.
        _period = calls.Count > 1 && span > 0 ? span * calls.Count / (calls.Count - 1) : 0;
        Keys = [.. calls.DistinctBy(call => call.KeyNumber).OrderBy(call => call.KeyNumber)];
    }

    /// <summary>Gets the number of calls.</summary>
    public int Count => _calls.Length;

    /// <summary>Gets, for each key, its first call in the trace.</summary>
    public IReadOnlyList<LoadTraceCall> Keys { get; }

    /// <summary>Reads a trace from a file. A set for which the file contains no TTL gets the TTL <paramref name="ttlMs"/>.</summary>
    /// <exception cref="AgentException">
    /// The file cannot be read, or a line is not a valid call. The message contains the file's path or the line number.
    /// </exception>
    public static LoadTrace Read(string path, long ttlMs)
    {
        try
        {
            return Parse(File.ReadLines(path), ttlMs);
        }
        catch (Exception unreadable) when (unreadable is IOException or UnauthorizedAccessException)
        {
            throw new AgentException($"cannot read the trace {path}: {unreadable.Message}");
        }
    }

    /// <summary>Parses lines.</summary>
    /// <exception cref="AgentException">A line is not a valid call.</exception>
    public static LoadTrace Parse(IEnumerable<string> lines, long ttlMs)
    {
        (List<LoadTraceCall>? calls, List<double>? times) = (new List<LoadTraceCall>(), new List<double>());
        var keys = new Dictionary<string, (int Number, byte[] Key)>();
        var values = new Dictionary<(int Key, int Bytes), byte[]>();
        int number = 0;
        foreach (string line in lines)
        {
            string[] fields = line.Split(',');
            if (++number == 1 && !double.TryParse(fields[0], CultureInfo.InvariantCulture, out _))
            {
                continue;
            }

            if (
                number > MaxLines
                || fields.Length is < 4 or > 5
                || !TryTime(fields[0], times, out double time)
                || fields[1] is not ("get" or "set")
                || fields[2].Length == 0
                || !TryWhole(fields[3], 5_000_000, out long size)
                || !TryTtl(fields, ttlMs, out long ttl))
            {
                throw new AgentException(
                    $"line {number} of the trace is invalid: '{line}'. Each line must have the form time,get|set,key,size[,ttlMs]; times must not "
                    + $"decrease; a trace must have at most {MaxLines:N0} lines");
            }

            if (!keys.TryGetValue(fields[2], out (int Number, byte[] Key) key))
            {
                keys[fields[2]] = key = (keys.Count, Encoding.UTF8.GetBytes(fields[2]));
            }

            if (!values.TryGetValue((key.Number, (int)size), out byte[]? value))
            {
                values[(key.Number, (int)size)] = value = LoadItems.ValueOf(key.Key, (int)size);
            }

            times.Add(time);
            calls.Add(new(fields[1] == "get", key.Number, key.Key, value, TimeSpan.FromMilliseconds(ttl)));
        }

        return calls.Count > 0 ? new LoadTrace(calls, times) : throw new AgentException("the trace has no calls");
    }

    /// <summary>Restarts the replay at the first call.</summary>
    public void Restart() => Interlocked.Exchange(ref _taken, -1);

    /// <summary>Returns the next call. Safe for concurrent use.</summary>
    public LoadTraceCall Next() => _calls[(int)(Interlocked.Increment(ref _taken) % _calls.Length)];

    /// <summary>
    /// Returns when call <paramref name="number"/> is due at a mean rate, in stopwatch ticks from the beginning. Numbers start at 0 and continue across
    /// repetitions.
    /// </summary>
    public double DueTicks(long number, double ratePerSecond)
    {
        double stretched = Stopwatch.Frequency / ratePerSecond;
        (long round, long at) = Math.DivRem(number, _calls.Length);
        return _period == 0 ? number * stretched : ((round * _period) + _times[at] - _times[0]) / _period * _calls.Length * stretched;
    }

    private static bool TryTime(string text, List<double> times, out double time) =>
        double.TryParse(text, CultureInfo.InvariantCulture, out time) && double.IsFinite(time) && (times.Count == 0 || time >= times[^1]);

    private static bool TryWhole(string text, long most, out long number) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number <= most;

    private static bool TryTtl(string[] fields, long otherwise, out long ttlMs)
    {
        ttlMs = otherwise;
        return fields.Length < 5 || fields[4].Length == 0 || (TryWhole(fields[4], long.MaxValue, out ttlMs) && ttlMs > 0);
    }
}

/// <summary>A call of a trace.</summary>
internal readonly record struct LoadTraceCall(bool IsRead, int KeyNumber, byte[] Key, byte[] Value, TimeSpan Ttl);
