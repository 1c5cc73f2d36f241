using System.Globalization;

namespace Larder.FileStore.Cli.Torture;

/// <summary>
/// Collects the reports of the processes and checks their reads. For each key it keeps the greatest acknowledged number (the floor); a read below the floor
/// is a miss. An event such as a truncation may lose entries. When the event is over:
/// <list type="bullet">
/// <item>If no process reported a fault, every miss is a violation.</item>
/// <item>If a process reported a fault, the floors are reset. A miss is then a violation only if neither the process that read the key nor the process that
/// sets the key is excused. A process is excused if it reported a fault, or if it reopened the file and therefore could not detect the loss.</item>
/// </list>
/// </summary>
internal sealed class TortureLedger(int processes)
{
    private const int MaxShown = 20;

    /// <summary>
    /// The time after a loss during which processes may still report faults. A write that coincides with a truncation leaves damage, which a process finds and
    /// repairs about a second later.
    /// </summary>
    private const int RecoveryWindowMs = 5_000;
    private readonly Lock _gate = new();
    private readonly long[][] _minVersions = [.. Enumerable.Range(0, processes).Select(_ => Enumerable.Repeat(-1L, TortureValue.Keys).ToArray())];
    private readonly long[] _reported = [.. Enumerable.Repeat(-1L, processes)];
    private readonly long[] _acknowledged = new long[processes];
    private readonly HashSet<(int Process, long Number)> _failed = [];
    private readonly Dictionary<long, (int Process, int Key, long Floor, long Epoch)> _reads = [];
    private readonly Dictionary<long, int> _synced = [];
    private readonly List<(string What, int Reader, int Owner)> _missed = [];

    /// <summary>The processes that reported a fault or opened the file since the current event began.</summary>
    private readonly HashSet<int> _toleratedLosses = [];
    private readonly TortureTimeline _timeline = new();
    private string _last = "start";
    private long _epoch;
    private long _nextRead;
    private long _quietFrom;

    internal long Acknowledged { get; private set; }

    internal long Failed { get; private set; }

    internal long Read { get; private set; }

    internal long Faults { get; private set; }

    internal long Refusals { get; private set; }

    internal List<string> Violations { get; } = [];

    internal Dictionary<string, long> FaultKinds { get; } = [];

    /// <summary>Whether an event that can lose entries is in progress. Misses during the event are checked when it ends.</summary>
    internal bool HasLosses { get; private set; }

    /// <summary>Whether failed calls are expected, because of a full disk or another event.</summary>
    internal bool HasFaults { get; private set; }

    /// <summary>Adds an action that is not an event, such as killing a process, to the timeline.</summary>
    internal void Note(string what)
    {
        lock (_gate)
        {
            _timeline.Add(what);
        }
    }

    internal long NextNumber(int process)
    {
        lock (_gate)
        {
            // Skip one number, because the set in progress when the process died may have been stored.
            return _reported[process] + 2;
        }
    }

    internal long AcknowledgedBy(int process)
    {
        lock (_gate)
        {
            return _acknowledged[process];
        }
    }

    internal bool AllSynced(long id)
    {
        lock (_gate)
        {
            return _synced.GetValueOrDefault(id) == processes;
        }
    }

    internal long FaultsNow()
    {
        lock (_gate)
        {
            return Faults;
        }
    }

    /// <summary>Begins an event. Until it ends, failed calls are expected and, if <paramref name="loss"/> is true, entries may be lost.</summary>
    internal void Begin(bool loss, string what)
    {
        lock (_gate)
        {
            (HasFaults, HasLosses, _last) = (true, loss, what);
            _epoch++;
            _toleratedLosses.Clear();
            _timeline.Begin(what);
        }
    }

    /// <summary>Ends the event. If <paramref name="lost"/> is true, a process reported a fault, and earlier acknowledged writes may be missing.</summary>
    internal void End(bool lost)
    {
        lock (_gate)
        {
            (HasFaults, HasLosses) = (false, false);
            _epoch++;
            _timeline.Add(lost ? "the event ended; a process reported a fault" : "the event ended");
            if (lost)
            {
                _quietFrom = Environment.TickCount64 + RecoveryWindowMs;
                Array.ForEach(_minVersions, f => Array.Fill(f, -1));
                _missed.RemoveAll(m => _toleratedLosses.Contains(m.Reader) || _toleratedLosses.Contains(m.Owner));
            }
            _missed.ForEach(m => Violate(lost ? m.What + ", and neither the reader nor the writer reported a fault" : m.What));
            _missed.Clear();
        }
    }

    /// <summary>Returns the command that reads a key of <paramref name="process"/>.</summary>
    internal string Ask(int process, int key)
    {
        lock (_gate)
        {
            long id = _nextRead++;
            _reads[id] = (process, key, _minVersions[process][key], _epoch);
            return string.Create(CultureInfo.InvariantCulture, $"get {id} w{process}-{key}");
        }
    }

    internal void Take(int process, string line)
    {
        string[] words = line.Split(' ');
        lock (_gate)
        {
            switch (words[0])
            {
                case "ack":
                    long number = Number(words[1]);
                    _reported[process] = number;
                    _acknowledged[process]++;
                    Acknowledged++;
                    _minVersions[process][number % TortureValue.Keys] = number;
                    break;
                case "fail":
                    _reported[process] = Number(words[1]);
                    _failed.Add((process, Number(words[1])));
                    Failed++;
                    if (!HasFaults && !line.Contains("write lock", StringComparison.Ordinal))
                    {
                        Violate($"process {process} could not write, although no fault was injected: {line}");
                    }
                    break;
                case "got":
                    Judge(process, Number(words[1]), words[2]);
                    break;
                case "stale":
                    Miss($"process {process} did not read its own write: {line}", process, process);
                    break;
                case "unsaid":
                    Violate($"process {process} could not write, but its status reported no fault: {line}");
                    break;
                case "opened":
                    _timeline.Add($"process {process} {line}");
                    _toleratedLosses.Add(process);
                    break;
                case "file" or "odd":
                    _timeline.Add($"process {process} {line}");
                    break;
                case "fault":
                    _timeline.Add($"process {process} {line}");
                    Faults++;
                    _toleratedLosses.Add(process);
                    CountKind(line);
                    if (!HasFaults && Environment.TickCount64 > _quietFrom)
                    {
                        Violate($"process {process} reported a fault, although none was injected: {line}");
                    }
                    break;
                case "synced":
                    _synced[Number(words[1])] = _synced.GetValueOrDefault(Number(words[1])) + 1;
                    break;
                case "cannot":
                    Refusals++;
                    if (!HasFaults && !line.Contains("write lock", StringComparison.Ordinal))
                    {
                        Violate($"process {process}: {line}");
                    }
                    break;
            }
        }
    }

    internal void Violate(string what)
    {
        lock (_gate)
        {
            _timeline.PrintOnce();
            Violations.Add(what);
            if (Violations.Count <= MaxShown)
            {
                Console.WriteLine($"VIOLATION ({(HasFaults ? "in" : "after")}: {_last}) {what}");
            }
        }
    }

    /// <summary>Compares the final content of the cache with the acknowledged writes; returns the number of keys that have a value.</summary>
    internal int CheckAll(Func<string, string?> read)
    {
        int held = 0;
        for (int process = 0; process < processes; process++)
        {
            for (int key = 0; key < TortureValue.Keys; key++)
            {
                long? found = TortureValue.NumberIn(read($"w{process}-{key}"));
                held += found >= 0 ? 1 : 0;
                JudgeValue($"at the end, key w{process}-{key}", process, process, found ?? -2, _minVersions[process][key]);
            }
        }
        return held;
    }

    private void Judge(int reader, long id, string value)
    {
        if (!_reads.Remove(id, out (int Process, int Key, long Floor, long Epoch) read) || value == "closed" || read.Epoch != _epoch)
        {
            return;
        }
        Read += HasLosses ? 0 : 1;
        JudgeValue($"process {reader} read w{read.Process}-{read.Key}", reader, read.Process, Number(value), read.Floor);
    }

    private void JudgeValue(string what, int reader, int owner, long found, long floor)
    {
        if (found == -2)
        {
            Violate($"{what}: the value was never written");
        }
        else if (found < floor)
        {
            Miss($"{what}: the version is {found}, but version {floor} had already been acknowledged", reader, owner);
        }
        else if (_failed.Contains((owner, found)))
        {
            Violate($"{what}: the version is {found}, but the write of this version had failed");
        }
    }

    private void Miss(string what, int reader, int owner)
    {
        if (HasLosses)
        {
            _missed.Add((what, reader, owner));
            _timeline.Add("missed: " + what);
        }
        else
        {
            Violate(what);
        }
    }

    private void CountKind(string line)
    {
        string kind = line.Contains("No space", StringComparison.Ordinal) ? "disk full"
            : line.Contains("compacted", StringComparison.Ordinal) ? "compaction failed"
            : line.Contains("recreated", StringComparison.Ordinal) ? "overwritten, recreated"
            : line.Contains("deleted", StringComparison.Ordinal) ? "deleted"
            : line.Contains("replaced", StringComparison.Ordinal) ? "replaced or truncated" : "other: " + line[..Math.Min(line.Length, 120)];
        FaultKinds[kind] = FaultKinds.GetValueOrDefault(kind) + 1;
    }

    private static long Number(string word) => long.Parse(word, CultureInfo.InvariantCulture);
}
