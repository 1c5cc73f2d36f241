namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    private readonly Lock _faultGate = new();
    private string? _identityFault;
    private string? _writeFault;
    private string? _compactionFault;

    /// <summary>Gets the most recent fault since opening; null if there was none.</summary>
    internal string? LastFault { get; private set; }

    /// <summary>Gets the number of faults since opening. A disk that stays full counts once, not once for each write.</summary>
    internal long Faults { get; private set; }

    /// <summary>Gets the current fault; null if the cache is healthy.</summary>
    internal string? Fault => Volatile.Read(ref _identityFault) ?? Volatile.Read(ref _writeFault) ?? Volatile.Read(ref _compactionFault)
        ?? (ReadFaults > 0 ? $"The last {ReadFaults} attempts to read the cache file {Path} failed; reads are served from memory and may be stale." : null);

    private void Say(string fault)
    {
        lock (_faultGate)
        {
            LastFault = fault;
            Faults++;
        }
    }

    /// <summary>Reports that the file at the path is not the file that this cache had open, so some entries may be lost.</summary>
    private void ReportReplaced(string what)
    {
        Log.Replaced(_logger, Path);
        Say($"The cache file {Path} {what}.");
    }

    /// <summary>Reports that another process created a new file in place of the file that this cache had open.</summary>
    private void ReportNewFile() => ReportReplaced("was deleted, replaced or truncated, and recreated by another process; continuing with the current content");

    /// <summary>Returns whether the exception is about the file, the sidecar or their folder. Returns false for a timeout while waiting for a lock.</summary>
    private static bool IsOfTheFile(Exception e) =>
        e is IOException or UnauthorizedAccessException || (e is DistributedFileStoreCacheException && e.InnerException is not TimeoutException);

    private void IdentityIsWrong(string reason)
    {
        if (Interlocked.Exchange(ref _identityFault, reason) is null)
        {
            Log.MaintenanceFailed(_logger, Path, reason);
            Say(reason);
        }
    }

    private void WriteFailed(string reason)
    {
        if (Interlocked.Exchange(ref _writeFault, reason) is null)
        {
            Log.CannotWrite(_logger, Path, reason);
            Say(reason);
        }
    }

    private void WriteSucceeded()
    {
        if (_writeFault is not null)
        {
            Volatile.Write(ref _writeFault, null);
        }
    }

    private void CompactionFailed(string reason)
    {
        _compactionFailedAt = Environment.TickCount64;
        if (Interlocked.Exchange(ref _compactionFault, $"The cache file {Path} could not be compacted: {reason}") is null)
        {
            Log.CannotCompact(_logger, Path, reason);
            Say(_compactionFault!);
        }
    }
}
