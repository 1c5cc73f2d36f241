using Microsoft.Extensions.Logging;

namespace Larder.Server;

/// <summary>The log messages of the server. Keys, values and tokens are never logged.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information, "Listening on {Address}; console on {ConsoleAddress}; memory limit is {MemoryBytes} bytes")]
    public static partial void Listening(ILogger logger, string address, string consoleAddress, long memoryBytes);

    [LoggerMessage(2, LogLevel.Information, "Draining: new connections are refused; waiting at most {GraceSeconds} s for {Streams} calls in progress")]
    public static partial void Draining(ILogger logger, long streams, double graceSeconds);

    [LoggerMessage(3, LogLevel.Information, "Stopped")]
    public static partial void Stopped(ILogger logger);

    [LoggerMessage(4, LogLevel.Warning, "Fault injection is enabled: callers can make calls fail. Use it only for tests")]
    public static partial void FaultInjectionOn(ILogger logger);

    [LoggerMessage(
        8,
        LogLevel.Warning,
        "The memory limit of {MemoryBytes} bytes exceeds the {MachineBytes} bytes available to this process, so the system may kill the process before "
            + "the store is full. Lower --memory")]
    public static partial void MemoryAboveMachine(ILogger logger, long memoryBytes, long machineBytes);

    [LoggerMessage(5, LogLevel.Error, "Internal error in {Rpc}")]
    public static partial void HandlerFault(ILogger logger, string rpc, Exception error);

    [LoggerMessage(6, LogLevel.Error, "A connection was closed because of an internal error")]
    public static partial void ConnectionFault(ILogger logger, Exception error);

    [LoggerMessage(7, LogLevel.Warning, "{Count} earlier errors were not logged because of the rate limit")]
    public static partial void FaultsUnsaid(ILogger logger, long count);

    [LoggerMessage(9, LogLevel.Warning, "The limit of open files allows only {Connections} connections instead of {Asked}; raise it with ulimit -n")]
    public static partial void FewerConnections(ILogger logger, int connections, int asked);

    [LoggerMessage(
        28,
        LogLevel.Information,
        "--memory allows only {Connections} TLS connections instead of {Asked}, because each may use {EachKB} KB, and all of them together may use at most "
            + "a quarter of --memory; raise --memory")]
    public static partial void FewerTlsConnections(ILogger logger, int connections, int asked, int eachKB);

    [LoggerMessage(12, LogLevel.Information, "Reloaded {Option}: applies to new connections and calls")]
    public static partial void Reloaded(ILogger logger, string option);

    [LoggerMessage(13, LogLevel.Error, "Reload failed ({Fault}); keeping the previous settings")]
    public static partial void NotReloaded(ILogger logger, string fault);

    [LoggerMessage(14, LogLevel.Warning, "Nothing to reload: no token file and no --tls-cert are configured")]
    public static partial void NothingToReload(ILogger logger);

    [LoggerMessage(16, LogLevel.Information, "The token file contains {Tokens} tokens, of which {Expired} have expired")]
    public static partial void TokensRead(ILogger logger, int tokens, int expired);

    [LoggerMessage(17, LogLevel.Warning, "Users other than the owner can read or change the token or key file {Path}; run chmod 600 on it")]
    public static partial void TokensOpenToOthers(ILogger logger, string path);

    [LoggerMessage(
        18,
        LogLevel.Warning,
        "{Failures} calls from {Address} within {WindowSeconds} s had a missing or unknown token; new connections from it are refused for {ShutSeconds} s")]
    public static partial void DoorShut(ILogger logger, string address, int failures, double windowSeconds, double shutSeconds);

    [LoggerMessage(15, LogLevel.Information, "Console action {Action} for cache {Cache} from {Address}")]
    public static partial void ConsoleAction(ILogger logger, string action, string cache, string address);

    [LoggerMessage(10, LogLevel.Information, "Cluster: {Notice}")]
    public static partial void ClusterNews(ILogger logger, string notice);

    [LoggerMessage(11, LogLevel.Warning, "Cluster: {Notice}")]
    public static partial void ClusterWarning(ILogger logger, string notice);

    [LoggerMessage(20, LogLevel.Information, "The snapshot {Path} does not exist yet; starting with empty caches")]
    public static partial void NoSnapshot(ILogger logger, string path);

    [LoggerMessage(
        21,
        LogLevel.Information,
        "Loaded snapshot {Path}, written at {WrittenAt:O}, in {Seconds:F3} s: {Entries} entries in {Caches} caches; {Expired} had expired, {Flushed} belonged "
            + "to caches flushed or deleted after the snapshot was started")]
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
        "The snapshot was loaded only in part: {WithoutRoom} rarely used entries do not fit in --memory; {Refused} entries were "
            + "rejected because of the item size limit or the maximum number of caches")]
    public static partial void SnapshotNotAllLoaded(ILogger logger, long withoutRoom, long refused);

    [LoggerMessage(23, LogLevel.Error, "Cannot load snapshot {Path}: {Reason}. It was moved to {AsidePath}; starting with empty caches")]
    public static partial void SnapshotKeptAside(ILogger logger, string path, string reason, string asidePath);

    [LoggerMessage(24, LogLevel.Information, "Wrote snapshot {Path} in {Seconds:F3} s: {Entries} entries in {Caches} caches, {Bytes} bytes")]
    public static partial void SnapshotWritten(ILogger logger, string path, double seconds, long entries, long caches, long bytes);

    [LoggerMessage(
        27,
        LogLevel.Error,
        "Cannot record the flush or deletion of a cache in the snapshot {Path}: {Reason}. The snapshot was deleted, so that deleted items do not "
            + "return; until the next snapshot, a restart starts with empty caches")]
    public static partial void FlushNotNoted(ILogger logger, string path, string reason);

    [LoggerMessage(26, LogLevel.Error, "Cannot write snapshot {Path}: {Reason}. The previous snapshot is kept")]
    public static partial void SnapshotFailed(ILogger logger, string path, string reason);
}
