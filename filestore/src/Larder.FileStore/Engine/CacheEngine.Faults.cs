namespace Larder.FileStore.Engine;

internal sealed partial class CacheEngine
{
    private readonly Lock _faultGate = new();
    private string? _identityFault;
    private string? _writeFault;
    private string? _compactionFault;

    /// <summary>What went wrong last; null if nothing did since opening.</summary>
    internal string? LastFault { get; private set; }

    /// <summary>How often something went wrong since opening. A disk that stays full is one fault, not one for each write.</summary>
    internal long Faults { get; private set; }

    /// <summary>What is wrong now; null when all is well.</summary>
    internal string? Fault => Volatile.Read(ref _identityFault) ?? Volatile.Read(ref _writeFault) ?? Volatile.Read(ref _compactionFault)
        ?? (ReadFaults > 0 ? $"The cache file {Path} could not be read {ReadFaults} times in a row; reads answer from memory." : null);

    private void Say(string fault)
    {
        lock (_faultGate)
        {
            LastFault = fault;
            Faults++;
        }
    }

    /// <summary>Of a file that is another than the one that was open, so that something of it may be gone.</summary>
    private void SayReplaced(string what)
    {
        Log.Replaced(_logger, Path);
        Say($"The cache file {Path} {what}.");
    }

    /// <summary>The same, where another process began it.</summary>
    private void SayBegunAnew() => SayReplaced("was deleted, replaced or cut short, and begun anew by another process; going on with what is there now");

    /// <summary>Whether the file, its sidecar or their folder is at fault; a lock that did not come free is none.</summary>
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
