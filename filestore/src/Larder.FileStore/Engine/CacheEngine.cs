using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Win32.SafeHandles;

namespace Larder.FileStore.Engine;

/// <summary>
/// The cache in one file. It consists of a log of changes, one per line, and an in-memory table of the entries.
/// </summary>
/// <remarks>
/// A read compares the committed word, which all processes share, with the word that the table reflects. If they differ, it reads the lines in between. A write
/// appends a line under the write lock and then advances the committed word. Locks are taken in this order: the gate (one writer of this process), the write
/// lock (one writer of the machine), the monitor (the table). The monitor is never held while waiting for the write lock, so no read waits for a writer, not
/// even for a stalled one. A read waits at most 100 ms while a damaged file is being replaced.
/// Compaction writes the live entries to a new file in the same folder and renames that file over the old file. The generation in the committed word
/// distinguishes the two files.
/// The parts of this class, one per file: Open · Establish · Read · CatchUp · Write · Limits · Agreement · Repair · Recovery · Faults · Compaction · Bound ·
/// Maintenance · Touches · Snapshot · Onlook · Rehearsal.
/// </remarks>
internal sealed unsafe partial class CacheEngine : IDisposable
{
    private readonly FileStoreSettings _settings;
    private readonly ILogger _logger;
    private readonly CacheClock _clock;
    private readonly Lock _gate = new();
    private readonly Lock _monitor = new();
    private readonly Queue<Coordinator> _retired = new();
    private readonly Applier _applier;

    private long* _committed;

    /// <summary>The committed word that the table reflects.</summary>
    private long _seen = Word.None;
    private long _published = Word.None;
    private Slot[] _slots;
    private EntrySet _set;
    private Coordinator _coordinator;
    private SafeFileHandle? _log;
    private FileFacts _logFacts;
    private readonly byte[] _logHeader = new byte[LogHeader.Bytes];
    private readonly byte[] _systemPath;

    /// <summary>The generation of the open log and the length that has been read.</summary>
    private long _position;
    private ulong _logId;
    private bool _disposed;

    /// <summary>Counts the changes of the table. A snapshot is current if the count has not changed since the snapshot was taken.</summary>
    private long _changes;

    private CacheEngine(FileStoreSettings settings, Coordinator coordinator)
    {
        _settings = settings;
        _logger = settings.LoggerFactory?.CreateLogger("Larder.FileStore") ?? NullLogger.Instance;
        _clock = CacheClock.For(settings.TimeProvider);
        _set = new EntrySet(_clock);
        _slots = _set.Slots;
        _coordinator = coordinator;
        _applier = new Applier(this);
        _systemPath = FileFacts.SystemPath(settings.Path);
    }

    internal string Path => _settings.Path;

    internal CacheClock Clock => _clock;

    internal bool IsPolled => _coordinator.IsPolled;

    internal long Generation => Word.Generation(Volatile.Read(ref _position));

    /// <summary>Gets the committed length of the file, in bytes.</summary>
    internal long FileBytes => Word.Length(Volatile.Read(ref _position));

    /// <summary>Gets the id of the open log.</summary>
    internal ulong LogId => Volatile.Read(ref _logId);

    /// <summary>Gets the number of entries in the table, including expired entries. Reads nothing from the file.</summary>
    internal int Entries => _set.Count;

    internal long LiveBytes => _set.LiveBytes;

    internal long MaxBytes => _settings.MaxBytes;

    public void Dispose()
    {
        _timer?.Dispose();
        Instruments.Remove(this);
        if (!_disposed)
        {
            FlushTouches(all: true);
        }
        lock (_gate)
        {
            lock (_monitor)
            {
                if (_disposed)
                {
                    return;
                }
                _disposed = true;
                Volatile.Write(ref _seen, Word.None);
                _log?.Dispose();
                _coordinator.Dispose();
                _clock.RemoveUser();
            }
        }
        lock (_compactor)
        {
            // Wait for a running compaction, which detects the disposal and deletes its temporary file. After this wait, nothing in this cache writes.
        }
    }

    /// <summary>Checks the invariants of the table. Used by tests.</summary>
    internal void AssertValid()
    {
        lock (_monitor)
        {
            _set.AssertValid();
        }
    }

    /// <summary>Enters the gate and returns true if the gate is free and the cache is open. Never waits.</summary>
    private bool TryEnterGate()
    {
        if (!_gate.TryEnter())
        {
            return false;
        }
        if (!_disposed)
        {
            return true;
        }
        _gate.Exit();
        return false;
    }

    private void ThrowIfDisposed() => ObjectDisposedException.ThrowIf(_disposed, typeof(CacheEngine));
}
