using Microsoft.Extensions.Logging;

namespace Larder.FileStore.Engine;

internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information, "Opened the cache file {Path}: {Entries} entries, {Mode}.")]
    internal static partial void Opened(ILogger logger, string path, int entries, string mode);

    [LoggerMessage(2, LogLevel.Warning, "The cache file {Path} ended in {Bytes} bytes of a write that was cut short; they were removed.")]
    internal static partial void TornTail(ILogger logger, string path, long bytes);

    [LoggerMessage(
        3,
        LogLevel.Warning,
        "The cache file {Path} is damaged at byte {Offset} for {Bytes} bytes: what they held is a miss. They are kept in {Aside}.")]
    internal static partial void Damaged(ILogger logger, string path, long offset, int bytes, string aside);

    [LoggerMessage(4, LogLevel.Information, "A writer of the cache file {Path} ended in mid-write; {Bytes} bytes it had written in whole were adopted.")]
    internal static partial void Repaired(ILogger logger, string path, long bytes);

    [LoggerMessage(5, LogLevel.Error, "A failed write could not be removed from the cache file {Path}: {Reason} The next write verifies the file first.")]
    internal static partial void CannotTakeBack(ILogger logger, string path, string reason);

    [LoggerMessage(6, LogLevel.Warning, "The cache file {Path} could not be read: {Reason} Reads answer from memory, which may be out of date, until it can.")]
    internal static partial void CannotRead(ILogger logger, string path, string reason);

    [LoggerMessage(7, LogLevel.Warning, "The cache file {Path} could not be compacted: {Reason}")]
    internal static partial void CannotCompact(ILogger logger, string path, string reason);

    [LoggerMessage(8, LogLevel.Warning, "The cache file {Path} or its .idx was deleted, replaced or edited; going on with what is there now.")]
    internal static partial void Replaced(ILogger logger, string path);

    [LoggerMessage(9, LogLevel.Information, "The cache file {Path} was put there by someone else; rewritten as generation {Generation}.")]
    internal static partial void TookOver(ILogger logger, string path, long generation);

    [LoggerMessage(10, LogLevel.Information, "Took {Entries} entries from {Old} into the new cache file {Path}; the old file was left as it is.")]
    internal static partial void Imported(ILogger logger, string old, int entries, string path);

    [LoggerMessage(11, LogLevel.Error, "Looking after the cache file {Path} failed: {Reason}")]
    internal static partial void MaintenanceFailed(ILogger logger, string path, string reason);

    [LoggerMessage(12, LogLevel.Warning, "Sliding expirations could not be written to the cache file {Path}: {Reason} They are tried again.")]
    internal static partial void CannotTouch(ILogger logger, string path, string reason);

    [LoggerMessage(13, LogLevel.Warning, "The cache file {Path} {What}: it was kept aside ({Aside}) and begun anew with {Entries} entries.")]
    internal static partial void StartedAnew(ILogger logger, string path, string what, string aside, int entries);

    [LoggerMessage(14, LogLevel.Error, "The cache file {Path} cannot be written: {Reason} Said once until a write goes through again.")]
    internal static partial void CannotWrite(ILogger logger, string path, string reason);

    [LoggerMessage(15, LogLevel.Warning, "The system's clock was set by {Milliseconds} ms: the entries of the cache file {Path} end by the new time.")]
    internal static partial void ClockSet(ILogger logger, string path, long milliseconds);
}
