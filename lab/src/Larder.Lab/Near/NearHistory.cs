using System.Globalization;
using Larder.Tuner.Processes;

namespace Larder.Lab.Near;

/// <summary>
/// All writes and reads of a run, from the records of its processes (conformance/AGENT.md, <c>near</c>). Each key is written by only one process, so its
/// versions have one order.
/// </summary>
internal sealed class NearHistory
{
    private readonly Dictionary<int, KeyWrites> _writes = [];
    private readonly Dictionary<(int Process, int Key, int Version), Reading> _readings = [];
    private readonly Dictionary<(int Process, int Key), int> _misses = [];
    private readonly List<(long Began, long Ended)> _flushes = [];

    /// <summary>Gets the number of completed writes.</summary>
    public int Writes => _writes.Values.Sum(static writes => writes.Finished.Count);

    /// <summary>Gets the number of writes whose result is unknown.</summary>
    public int Unknown => _writes.Values.Sum(static writes => writes.Unknown.Count);

    /// <summary>Adds the records of a process.</summary>
    /// <exception cref="TunerException">A line is not a valid record.</exception>
    public void Add(int process, IEnumerable<string> lines)
    {
        foreach (string line in lines)
        {
            string[] words = line.Split(',');
            if (words.Length is < 3 or > 5 || !TryAdd(process, words[0], [.. words.Skip(1).Select(Number)]))
            {
                throw new TunerException($"invalid record of a near run: \"{line}\"");
            }
        }
    }

    /// <summary>Adds a flush that took place between two times. Versions written before the flush must not be read after it.</summary>
    public void AddFlush(long beganNs, long endedNs) => _flushes.Add((beganNs, endedNs));

    /// <summary>Checks all reads.</summary>
    /// <param name="rules">The rules for the reads.</param>
    public NearFindings Judge(NearRules rules)
    {
        List<double> stale = [];
        NearFindings findings = new();
        foreach (((int process, int key, int version), Reading reading) in _readings)
        {
            if (!_writes.TryGetValue(key, out KeyWrites? writes) || !writes.IsIssued(version))
            {
                findings.Violated(NearViolation.NeverWritten, $"process {process} read version {version} of key {key}, which was never written");
                continue;
            }

            if (GoneAt(writes, version) is { } gone)
            {
                double ms = Math.Max(0, Ms(reading.LastBegin - gone));
                stale.Add(ms);
                if (ms > rules.LeaseMs)
                {
                    findings.Violated(
                        NearViolation.PastLease,
                        Say($"process {process} read version {version} of key {key}, although it was replaced or deleted {ms:N1} ms before the read started"));
                }
            }

            if (rules.LivesMs(key) is { } lives && writes.FinishedAt(version) is { } finished && Ms(reading.LastBegin - finished) > lives + rules.ClockMs)
            {
                double ms = Ms(reading.LastBegin - finished);
                findings.Violated(
                    NearViolation.Expired,
                    Say($"process {process} read version {version} of key {key} {ms:N1} ms after that version was set with a TTL of {lives:N0} ms"));
            }
        }

        foreach (((int process, int key), int version) in _misses)
        {
            if (!_writes.TryGetValue(key, out KeyWrites? writes) || !writes.IsIssued(version))
            {
                findings.Violated(
                    NearViolation.MissedNothing,
                    $"process {process} found key {key} deleted in version {version}, but this deletion was never issued");
            }
        }

        findings.StaleMs = Sorted(stale);
        findings.SeenMs = Sorted(Seen());
        return findings;
    }

    // Returns the values of SeenMs. There is one value for each write and each other process that read the written version or a later one: the time from the
    // end of the write to the first such read.
    private IEnumerable<double> Seen()
    {
        foreach (IGrouping<(int Process, int Key), KeyValuePair<(int Process, int Key, int Version), Reading>> readings in
            _readings.GroupBy(static each => (each.Key.Process, each.Key.Key)))
        {
            if (!_writes.TryGetValue(readings.Key.Key, out KeyWrites? writes) || writes.Process == readings.Key.Process)
            {
                continue;
            }

            (int Version, long FirstEnd)[] seen = [.. readings.Select(static each => (each.Key.Version, each.Value.FirstEnd)).OrderDescending()];
            int at = 0;
            long first = long.MaxValue;
            foreach ((int version, long finished) in Enumerable.Reverse(writes.Finished))
            {
                for (; at < seen.Length && seen[at].Version >= version; at++)
                {
                    first = Math.Min(first, seen[at].FirstEnd);
                }

                if (first != long.MaxValue)
                {
                    yield return Math.Max(0, Ms(first - finished));
                }
            }
        }
    }

    // Returns the time at which a version was superseded by the next write or by a flush, whichever came first.
    private long? GoneAt(KeyWrites writes, int version)
    {
        long? gone = writes.NextFinishedAt(version);
        if (writes.FinishedAt(version) is { } finished)
        {
            foreach ((long began, long ended) in _flushes)
            {
                gone = began > finished && (gone is null || ended < gone) ? ended : gone;
            }
        }

        return gone;
    }

    private bool TryAdd(int process, string kind, long[] numbers)
    {
        (int key, int version) = ((int)numbers[0], (int)numbers[1]);
        switch (kind, numbers.Length)
        {
            case ("w", 3): WritesOf(key, process).Finished.Add((version, numbers[2])); return true;
            case ("u", 3): WritesOf(key, process).Unknown.Add(version); return true;
            case ("m", 2): _misses[(process, key)] = Math.Max(version, _misses.GetValueOrDefault((process, key))); return true;
            case ("r", 4):
                Reading reading = new(numbers[2], numbers[3]);
                bool isThere = _readings.TryGetValue((process, key, version), out Reading other);
                _readings[(process, key, version)] = isThere ? reading.With(other) : reading;
                return true;
            default: return false;
        }
    }

    private KeyWrites WritesOf(int key, int process)
    {
        if (!_writes.TryGetValue(key, out KeyWrites? writes))
        {
            writes = _writes[key] = new KeyWrites(process);
        }

        return writes.Process == process ? writes : throw new TunerException($"processes {writes.Process} and {process} both wrote key {key}");
    }

    private static double[] Sorted(IEnumerable<double> figures) => [.. figures.Order()];

    private static double Ms(long ns) => ns / 1e6;

    private static long Number(string word) => long.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out long number)
        ? number
        : throw new TunerException($"invalid number in a record of a near run: \"{word}\"");

    private static string Say(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);

    private readonly record struct Reading(long FirstEnd, long LastBegin)
    {
        public Reading With(Reading other) => new(Math.Min(FirstEnd, other.FirstEnd), Math.Max(LastBegin, other.LastBegin));
    }

    /// <summary>The versions of a key, in order.</summary>
    private sealed class KeyWrites(int process)
    {
        public int Process => process;

        public List<(int Version, long FinishedNs)> Finished { get; } = [];

        public HashSet<int> Unknown { get; } = [];

        public bool IsIssued(int version) => FinishedAt(version) is not null || Unknown.Contains(version);

        public long? FinishedAt(int version) => IndexOf(version) is >= 0 and int at ? Finished[at].FinishedNs : null;

        /// <summary>Returns the time at which the write of the next version completed; null if no later write completed.</summary>
        public long? NextFinishedAt(int version)
        {
            int at = IndexOf(version);
            int next = at >= 0 ? at + 1 : ~at;
            return next < Finished.Count ? Finished[next].FinishedNs : null;
        }

        private int IndexOf(int version)
        {
            (int low, int high) = (0, Finished.Count - 1);
            while (low <= high)
            {
                int middle = (low + high) / 2;
                if (Finished[middle].Version == version)
                {
                    return middle;
                }

                (low, high) = Finished[middle].Version < version ? (middle + 1, high) : (low, middle - 1);
            }

            return ~low;
        }
    }
}
