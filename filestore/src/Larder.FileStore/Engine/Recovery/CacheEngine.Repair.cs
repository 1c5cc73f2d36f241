using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    private bool _damagedInFile;

    /// <summary>
    /// Whether the table lacks lines of the open log that other processes may have. A file that is written from such a table must not keep the log's id,
    /// because the same id means that the file contains everything that the log contained.
    /// </summary>
    private bool _isIncomplete;

    /// <summary>Gets the number of damaged regions found since opening.</summary>
    internal long DamagedLines { get; private set; }

    /// <summary>
    /// Completes or removes the write of a writer that died or failed during the write. Complete lines beyond the committed length are kept, because another
    /// process may have read them. The bytes after these lines are cut off. The caller holds the gate and the write lock.
    /// </summary>
    private void RepairIfDirty()
    {
        if (!_coordinator.Dirty)
        {
            return;
        }
        using SafeFileHandle? file = OpenFile.Try(Path);
        RequireTogether(file);
        long committed = _coordinator.Committed;
        if (
            file is null
            || ReadHeader(file, out LogHeader header) != HeaderVerdict.Good
            || !TryPlace(header, committed, out long start)
            || RandomAccess.GetLength(file) < start)
        {
            Establish(replaced: true);
            return;
        }
        long end = LogScanner.Scan(file, start, long.MaxValue, Nothing.Instance, TailPolicy.Torn);
        CutTail(file, end);
        Volatile.Write(ref _coordinator.Committed, Word.Of(header.Generation, end));
        _coordinator.Dirty = false;
        Log.Repaired(_logger, Path, end - start);
    }

    private void CutTail(SafeFileHandle file, long end)
    {
        long torn = RandomAccess.GetLength(file) - end;
        if (torn > 0)
        {
            RandomAccess.SetLength(file, end);
            Log.TornTail(_logger, Path, torn);
        }
    }

    /// <summary>
    /// Handles damaged lines. Their keys become misses, so that no older value of these keys reappears. The damaged bytes are stored in a separate file.
    /// </summary>
    private void UndoDamaged(ReadOnlySpan<byte> region, long offset)
    {
        DamagedLines++;
        _damagedInFile = true;
        List<byte[]> intact = [];
        List<Operation> lost = [];
        // Lines never contain a zero byte. The bytes after the last zero byte are a valid line that was written past the end of a truncated file.
        int hole = region.LastIndexOf((byte)0);
        bool isFollowed = RecordReader.TryOpen(region[(hole + 1)..], out RecordReader after);
        DamagedRegion.Identify(isFollowed ? region[..(hole + 1)] : region, intact, lost);
        foreach (byte[] line in intact)
        {
            if (RecordReader.TryOpen(line, out RecordReader record))
            {
                _applier.Accept(ref record, offset);
            }
        }
        foreach (Operation operation in lost)
        {
            _set.Apply(operation with { Kind = operation.Kind == OperationKind.Clear ? OperationKind.Clear : OperationKind.Remove });
        }
        if (isFollowed)
        {
            _applier.Accept(ref after, offset);
        }
        string aside = _settings.ReadOnly ? "none, because the cache is read-only" : DamagedFile.Keep(Path, _logId, offset, region);
        Log.Damaged(_logger, Path, offset, region.Length, aside);
        if (hole >= 0)
        {
            // The file was truncated while it was being written, so the keys of the missing lines are unknown.
            _isIncomplete = true;
            Say($"The cache file {Path} was truncated and then extended: {region.Length} bytes at offset {offset} are missing, and their entries are lost.");
        }
        Instruments.FoundDamaged();
    }

    /// <summary>Ignores all lines. Used if only the end position of the scan is needed.</summary>
    private sealed class Nothing : LogVisitor
    {
        internal static readonly Nothing Instance = new();

        internal override void Accept(ref RecordReader record, long offset)
        {
            // The scanner has validated the line.
        }

        internal override void Damaged(ReadOnlySpan<byte> region, long offset)
        {
            // Ignore the damage here, because it is reported and handled when the lines are applied.
        }
    }
}
