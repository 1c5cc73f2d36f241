using Microsoft.Extensions.Logging;

namespace Larder.FileStore.Engine;

internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information, "Opened the cache file {Path}: {Entries} entries, {Mode}.")]
    internal static partial void Opened(ILogger logger, string path, int entries, string mode);

    [LoggerMessage(2, LogLevel.Warning, "The cache file {Path} ended with {Bytes} bytes of an incomplete write; they were removed.")]
    internal static partial void TornTail(ILogger logger, string path, long bytes);

    [LoggerMessage(
        3,
        LogLevel.Warning,
        "The cache file {Path} is damaged: {Bytes} bytes at offset {Offset} cannot be read. Entries in these bytes are misses. Copy of the bytes: {Aside}.")]
    internal static partial void Damaged(ILogger logger, string path, long offset, int bytes, string aside);

    [LoggerMessage(4, LogLevel.Information, "A process ended while it was writing to the cache file {Path}; {Bytes} bytes of complete lines were recovered.")]
    internal static partial void Repaired(ILogger logger, string path, long bytes);

    [LoggerMessage(5, LogLevel.Error, "Cannot remove a failed write from the cache file {Path}: {Reason} The next write verifies the file first.")]
    internal static partial void CannotTakeBack(ILogger logger, string path, string reason);

    [LoggerMessage(6, LogLevel.Warning, "Cannot read the cache file {Path}: {Reason} Until it is readable, reads are served from memory and may be stale.")]
    internal static partial void CannotRead(ILogger logger, string path, string reason);

    [LoggerMessage(7, LogLevel.Warning, "Cannot compact the cache file {Path}: {Reason} Retrying later.")]
    internal static partial void CannotCompact(ILogger logger, string path, string reason);

    [LoggerMessage(8, LogLevel.Warning, "The cache file {Path} or its .idx file was deleted, replaced or edited; continuing with the current content.")]
    internal static partial void Replaced(ILogger logger, string path);

    [LoggerMessage(9, LogLevel.Information, "The cache file {Path} was rewritten as generation {Generation}; all processes read it again.")]
    internal static partial void TookOver(ILogger logger, string path, long generation);

    [LoggerMessage(10, LogLevel.Information, "Imported {Entries} entries from {Old} into the new cache file {Path}; the old file was not changed.")]
    internal static partial void Imported(ILogger logger, string old, int entries, string path);

    [LoggerMessage(11, LogLevel.Error, "Background maintenance of the cache file {Path} failed. {Reason}")]
    internal static partial void MaintenanceFailed(ILogger logger, string path, string reason);

    [LoggerMessage(12, LogLevel.Warning, "Cannot write sliding expirations to the cache file {Path}: {Reason} Retrying later.")]
    internal static partial void CannotTouch(ILogger logger, string path, string reason);

    [LoggerMessage(13, LogLevel.Warning, "The cache file {Path} {What}; it was recreated with {Entries} entries. Copy of the old file: {Aside}.")]
    internal static partial void StartedAnew(ILogger logger, string path, string what, string aside, int entries);

    [LoggerMessage(14, LogLevel.Error, "Writes to the cache file {Path} fail. {Reason} Logged once until a write succeeds.")]
    internal static partial void CannotWrite(ILogger logger, string path, string reason);

    [LoggerMessage(
        15,
        LogLevel.Warning,
        "The system clock was changed by {Milliseconds} ms; the entries of the cache file {Path} expire according to the new time.")]
    internal static partial void ClockSet(ILogger logger, string path, long milliseconds);
}
