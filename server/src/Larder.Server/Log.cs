using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>The log messages of the server. Keys, values and tokens are never logged.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information, "Listening on {Address}; console on {ConsoleAddress}; memory limit {MemoryBytes} bytes")]
    public static partial void Listening(ILogger logger, string address, string consoleAddress, long memoryBytes);

    [LoggerMessage(2, LogLevel.Information, "Draining: no new connections; {Streams} calls under way, at most {GraceSeconds} s")]
    public static partial void Draining(ILogger logger, long streams, double graceSeconds);

    [LoggerMessage(3, LogLevel.Information, "Stopped")]
    public static partial void Stopped(ILogger logger);

    [LoggerMessage(4, LogLevel.Warning, "Fault injection is on: callers can make calls fail. For tests only")]
    public static partial void FaultInjectionOn(ILogger logger);

    [LoggerMessage(
        8,
        LogLevel.Warning,
        "The memory limit of {MemoryBytes} bytes is above the {MachineBytes} bytes that this process may use: the system may end it before it is full. "
            + "Lower --memory")]
    public static partial void MemoryAboveMachine(ILogger logger, long memoryBytes, long machineBytes);

    [LoggerMessage(5, LogLevel.Error, "{Rpc} failed inside the server")]
    public static partial void HandlerFault(ILogger logger, string rpc, Exception error);

    [LoggerMessage(6, LogLevel.Error, "A connection was ended by a fault of the server's own")]
    public static partial void ConnectionFault(ILogger logger, Exception error);

    [LoggerMessage(7, LogLevel.Warning, "{Count} faults before this one were not logged")]
    public static partial void FaultsUnsaid(ILogger logger, long count);

    [LoggerMessage(9, LogLevel.Warning, "At most {Connections} connections, not {Asked}: the limit of open files leaves room for no more (ulimit -n)")]
    public static partial void FewerConnections(ILogger logger, int connections, int asked);

    [LoggerMessage(
        28,
        LogLevel.Information,
        "At most {Connections} TLS connections, not {Asked}: each may hold {EachKB} KB, and all of them a quarter of --memory; raise --memory for more")]
    public static partial void FewerTlsConnections(ILogger logger, int connections, int asked, int eachKB);

    [LoggerMessage(12, LogLevel.Information, "Reloaded {Option}: it holds for what comes from now on")]
    public static partial void Reloaded(ILogger logger, string option);

    [LoggerMessage(13, LogLevel.Error, "Not reloaded, what was read before goes on: {Fault}")]
    public static partial void NotReloaded(ILogger logger, string fault);

    [LoggerMessage(14, LogLevel.Warning, "Nothing to reload: neither a file of tokens or of a token nor --tls-cert was given")]
    public static partial void NothingToReload(ILogger logger);

    [LoggerMessage(16, LogLevel.Information, "The file of tokens has {Tokens}, of which {Expired} have expired")]
    public static partial void TokensRead(ILogger logger, int tokens, int expired);

    [LoggerMessage(17, LogLevel.Warning, "The file of tokens or keys {Path} may be read or changed by others than its owner: chmod 600 it")]
    public static partial void TokensOpenToOthers(ILogger logger, string path);

    [LoggerMessage(
        18,
        LogLevel.Warning,
        "{Failures} calls from {Address} within {WindowSeconds} s showed no known token: for {ShutSeconds} s its new connections are refused")]
    public static partial void DoorShut(ILogger logger, string address, int failures, double windowSeconds, double shutSeconds);

    [LoggerMessage(15, LogLevel.Information, "Console: {Action} of cache {Cache}, from {Address}")]
    public static partial void ConsoleAction(ILogger logger, string action, string cache, string address);

    [LoggerMessage(10, LogLevel.Information, "Cluster: {Notice}")]
    public static partial void ClusterNews(ILogger logger, string notice);

    [LoggerMessage(11, LogLevel.Warning, "Cluster: {Notice}")]
    public static partial void ClusterWarning(ILogger logger, string notice);

    [LoggerMessage(20, LogLevel.Information, "There is no snapshot {Path} yet: the caches are empty")]
    public static partial void NoSnapshot(ILogger logger, string path);

    [LoggerMessage(
        21,
        LogLevel.Information,
        "Snapshot {Path} of {WrittenAt:O} loaded in {Seconds:F3} s: {Entries} entries in {Caches} caches; {Expired} had expired, {Flushed} were of caches "
            + "flushed or deleted since its writing began")]
    public static partial void SnapshotLoaded(
        ILogger logger,
        string path,
        DateTimeOffset writtenAt,
        double seconds,
        long entries,
        long caches,
        long expired,
        long flushed);

    [LoggerMessage(
        22,
        LogLevel.Warning,
        "Not all of the snapshot was loaded: for {WithoutRoom} entries, those least hit, this server's memory is too small; {Refused} are larger than it "
            + "takes, or of a cache too many")]
    public static partial void SnapshotNotAllLoaded(ILogger logger, long withoutRoom, long refused);

    [LoggerMessage(23, LogLevel.Error, "Snapshot {Path} was not loaded, nothing of it: {Reason}. It is kept as {AsidePath}; the caches are empty")]
    public static partial void SnapshotKeptAside(ILogger logger, string path, string reason, string asidePath);

    [LoggerMessage(24, LogLevel.Information, "Snapshot {Path} written in {Seconds:F3} s: {Entries} entries in {Caches} caches, {Bytes} bytes")]
    public static partial void SnapshotWritten(ILogger logger, string path, double seconds, long entries, long caches, long bytes);

    [LoggerMessage(
        27,
        LogLevel.Error,
        "That a cache was flushed or deleted could not be noted beside the snapshot {Path}: {Reason}. The snapshot is deleted, so that nothing of it comes "
            + "back; until the next is written a restart begins with empty caches")]
    public static partial void FlushNotNoted(ILogger logger, string path, string reason);

    [LoggerMessage(26, LogLevel.Error, "Snapshot {Path} was not written: {Reason}. The one before it stays")]
    public static partial void SnapshotFailed(ILogger logger, string path, string reason);
}
