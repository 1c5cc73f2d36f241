using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// The contents of a cache file. The file is read without opening it as a cache, so no lock is taken, no sidecar is used and nothing is written.
/// </summary>
internal sealed class LogInspection : LogVisitor
{
    private readonly CacheClock _clock = CacheClock.For(TimeProvider.System);
    private readonly Dictionary<string, Operation> _entries = new(StringComparer.Ordinal);

    private LogInspection(string path, HeaderVerdict verdict, LogHeader header)
    {
        Path = path;
        Verdict = verdict;
        Header = header;
    }

    internal string Path { get; }

    internal HeaderVerdict Verdict { get; }

    internal LogHeader Header { get; }

    internal long FileBytes { get; private set; }

    internal int Lines { get; private set; }

    /// <summary>Gets the offset and length of each damaged region.</summary>
    internal List<(long Offset, int Length)> DamagedRegions { get; } = [];

    /// <summary>Gets the number of bytes after the last line feed. These bytes belong to a truncated write or to a write in progress.</summary>
    internal long TornBytes { get; private set; }

    /// <summary>Gets the entries that have not expired.</summary>
    internal IEnumerable<Operation> Live
    {
        get
        {
            long now = _clock.UtcMs;
            return _entries.Values.Where(e => e.ExpiresMs == 0 || e.ExpiresMs > now);
        }
    }

    internal int Expired => _entries.Count - Live.Count();

    internal static LogInspection Of(string path)
    {
        using SafeFileHandle file = File.OpenHandle(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        byte[] first = new byte[LogHeader.Bytes];
        int read = RandomAccess.Read(file, first, 0);
        HeaderVerdict verdict = LogHeader.Read(first.AsSpan(0, read), out LogHeader header);
        LogInspection inspection = new(path, verdict, header) { FileBytes = RandomAccess.GetLength(file) };
        if (verdict is HeaderVerdict.Good or HeaderVerdict.Damaged)
        {
            long end = LogScanner.Scan(file, LogHeader.Bytes, inspection.FileBytes, inspection, TailPolicy.DamagedLinesThenTorn);
            inspection.TornBytes = inspection.FileBytes - end;
        }
        return inspection;
    }

    internal override void Accept(ref RecordReader record, long offset)
    {
        Lines++;
        while (record.Next(out Operation operation))
        {
            Apply(operation);
        }
    }

    internal override void Damaged(ReadOnlySpan<byte> region, long offset)
    {
        DamagedRegions.Add((offset, region.Length));
        List<byte[]> intact = [];
        List<Operation> lost = [];
        DamagedRegion.Identify(region, intact, lost);
        foreach (byte[] line in intact)
        {
            if (RecordReader.TryOpen(line, out RecordReader record))
            {
                Accept(ref record, offset);
            }
        }
        lost.ForEach(o => Apply(o with { Kind = o.Kind == OperationKind.Clear ? OperationKind.Clear : OperationKind.Remove }));
    }

    private void Apply(in Operation operation)
    {
        switch (operation.Kind)
        {
            case OperationKind.Set: _entries[operation.Key] = operation; break;
            case OperationKind.Remove: _entries.Remove(operation.Key); break;
            case OperationKind.Clear: _entries.Clear(); break;
            case OperationKind.Touch when _entries.TryGetValue(operation.Key, out Operation entry):
                _entries[operation.Key] = entry with { ExpiresMs = Math.Max(entry.ExpiresMs, operation.ExpiresMs) };
                break;
        }
    }
}
