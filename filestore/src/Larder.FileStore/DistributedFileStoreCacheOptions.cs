using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace Larder.FileStore;

/// <summary>The settings of one cache over one file. They are checked and copied when the cache is opened.</summary>
public sealed class DistributedFileStoreCacheOptions
{
    /// <summary>Which face is registered. Default: <see cref="FileStoreCacheVersions.String"/>.</summary>
    public FileStoreCacheVersions WhichVersion { get; set; }

    /// <summary>
    /// The most that the live entries may take, in bytes of UTF-8: key, value and 6 an entry, 18 more with an expiry; base64 counts for bytes.
    /// Range: 1 to 2^40. Default: 64 MiB. The file itself is at most twice that and 1 MiB, give or take what is written during a compaction.
    /// </summary>
    public long MaxBytes { get; set; } = 64 << 20;

    /// <summary><see cref="MaxBytes"/> under its older name.</summary>
    public int MaxBytesInJsonCacheFile
    {
        get => (int)Math.Min(MaxBytes, int.MaxValue);
        set => MaxBytes = value;
    }

    /// <summary>What a write does that would pass the limit. Default: <see cref="FileStoreFullMode.Throw"/>.</summary>
    public FileStoreFullMode WhenFull { get; set; }

    /// <summary>How classes are written and read as JSON by the Class face. Default: as System.Text.Json does, with the relaxed encoder.</summary>
    public JsonSerializerOptions? JsonSerializerForCacheFile { get; set; }

    /// <summary>The folder of the file, created if missing. Default: the environment's content root.</summary>
    public string? PathToCacheFileDirectory { get; set; }

    /// <summary>The second part of the file's name. Default: the environment's name.</summary>
    public string? SecondPartOfCacheFileName { get; set; }

    /// <summary>The first part of the file's name, <c>{First}.{Second}.jsonl</c>. Default: FileStoreCacheFile.</summary>
    public string FirstPartOfCacheFileName { get; set; } = "FileStoreCacheFile";

    /// <summary>
    /// How long <see cref="FileAccessRetry.TryAgainOnUnauthorizedAccess"/> sleeps between attempts, in ms. Default: 5. The cache itself does not use it: see
    /// <see cref="LockTimeout"/>.
    /// </summary>
    public int DelayMillisecondsOnUnauthorizedAccess { get; set; } = 5;

    /// <summary>How often <see cref="FileAccessRetry.TryAgainOnUnauthorizedAccess"/> tries again. Default: 20.</summary>
    public int NumTriesOnUnauthorizedAccess { get; set; } = 20;

    /// <summary>Has no effect: any number of caches may be open in one process. Kept so that code written for the older library compiles.</summary>
    public bool TurnOffStaticFilePathCheck { get; set; }

    /// <summary>
    /// How long a write waits for other writers before it throws. Range: 0 to 1 hour. Default: 5 s. Reads wait for no writer. Time in which the machine was too
    /// busy to run this process is not counted, so that by the clock it may take up to four times as long.
    /// </summary>
    public TimeSpan LockTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>When the file is flushed to the disk. Default: <see cref="FileStoreDurability.None"/>.</summary>
    public FileStoreDurability Durability { get; set; }

    /// <summary>How processes learn of each other's writes. Default: <see cref="FileStoreCoherence.Automatic"/>.</summary>
    public FileStoreCoherence Coherence { get; set; }

    /// <summary>
    /// With <see cref="FileStoreCoherence.Polled"/>, the longest time that a read answers without looking at the file. Range: 0 to 1 hour. Default: 250 ms.
    /// </summary>
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// The mode of the cache's files on Unix, exactly and whatever the umask: owner and group reading and writing, for processes of several users in a folder
    /// with the setgid bit. The owner has to read and write. Default: null, the owner alone (0600), or the mode that an existing file was given. On Windows the
    /// folder's rights count.
    /// </summary>
    public UnixFileMode? UnixCreateMode { get; set; }

    /// <summary>
    /// Whether the cache is only read: by an account without write access, or where nothing must change. No file, lock or folder is made or changed, nothing is
    /// compacted, and every change throws <see cref="NotSupportedException"/>, <c>Refresh</c> included; reads do not prolong sliding entries. Other processes'
    /// writes show at once where the .idx beside the file may be read, else after <see cref="PollInterval"/> at most. Opening throws
    /// <see cref="DistributedFileStoreCacheException"/> where there is no file; one deleted later is an empty cache until there is another. Default: false.
    /// </summary>
    public bool ReadOnly { get; set; }

    /// <summary>
    /// Whether a new cache takes the entries of an older library's <c>{First}.{Second}.json</c> beside it, which is left unmodified. Default: true.
    /// </summary>
    public bool ImportOldFile { get; set; } = true;

    /// <summary>The clock of expirations. Default: null, the one registered as a service or else the system's.</summary>
    public TimeProvider? TimeProvider { get; set; }

    /// <summary>Where the cache logs, category Larder.FileStore. Default: null, the one registered as a service or else nowhere.</summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>
    /// Sets <see cref="MaxBytes"/> for so many entries: entries × (key + value × charSize + 6) + 29, and, for the given percentage of entries
    /// with an expiry, key + 25 each.
    /// </summary>
    /// <param name="maxEntries">The most entries.</param>
    /// <param name="maxKeyLength">The longest key, in characters.</param>
    /// <param name="maxValueLength">The longest value, in characters.</param>
    /// <param name="charSize">Bytes per character of a value: 1 for ASCII, up to 6 for escaped text.</param>
    /// <param name="percentWithTimeout">How many of a hundred entries have an expiry, 0 to 100.</param>
    public void SetMaxBytesByCalculation(int maxEntries, int maxKeyLength, int maxValueLength, int charSize = 1, int percentWithTimeout = 0)
    {
        long entries = (long)maxEntries * (maxKeyLength + (long)maxValueLength * charSize + 6) + 29;
        long timeouts = (long)maxEntries * percentWithTimeout / 100 * (maxKeyLength + 19 + 6);
        MaxBytes = entries + timeouts;
    }
}
