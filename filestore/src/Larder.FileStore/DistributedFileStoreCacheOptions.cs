using System.Text.Json;
using Microsoft.Extensions.Logging;

namespace Larder.FileStore;

/// <summary>The settings of one cache file. They are validated and copied when the cache is opened.</summary>
public sealed class DistributedFileStoreCacheOptions
{
    /// <summary>Gets or sets the API that is registered as a service. The default is <see cref="FileStoreCacheVersions.String"/>.</summary>
    public FileStoreCacheVersions WhichVersion { get; set; }

    /// <summary>
    /// Gets or sets the maximum size of the live entries, in bytes. The size of an entry is the length of its key and value in UTF-8 (base64 for bytes) plus 6
    /// bytes. An entry that expires needs 18 bytes more. The range is 1 to 2^40; the default is 64 MiB. The file is at most twice this size plus 16 MiB, plus
    /// the bytes that are written during a compaction.
    /// </summary>
    public long MaxBytes { get; set; } = 64 << 20;

    /// <summary>Gets or sets <see cref="MaxBytes"/> under the name that the setting has in Net.DistributedFileStoreCache.</summary>
    public int MaxBytesInJsonCacheFile
    {
        get => (int)Math.Min(MaxBytes, int.MaxValue);
        set => MaxBytes = value;
    }

    /// <summary>Gets or sets what happens if a write would exceed the size limit. The default is <see cref="FileStoreFullMode.Throw"/>.</summary>
    public FileStoreFullMode WhenFull { get; set; }

    /// <summary>
    /// Gets or sets the JSON options for objects that are stored with <see cref="IDistributedFileStoreCacheClass"/>. The default is null, which means the
    /// defaults of System.Text.Json with <see cref="System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping"/>.
    /// </summary>
    public JsonSerializerOptions? JsonSerializerForCacheFile { get; set; }

    /// <summary>Gets or sets the folder of the file, created if missing. The default is the content root of the environment.</summary>
    public string? PathToCacheFileDirectory { get; set; }

    /// <summary>Gets or sets the second part of the file name. The default is the name of the environment.</summary>
    public string? SecondPartOfCacheFileName { get; set; }

    /// <summary>Gets or sets the first part of the file name, <c>{First}.{Second}.jsonl</c>. The default is FileStoreCacheFile.</summary>
    public string FirstPartOfCacheFileName { get; set; } = "FileStoreCacheFile";

    /// <summary>
    /// Gets or sets the delay between the attempts of <see cref="FileAccessRetry.TryAgainOnUnauthorizedAccess"/>, in ms. The default is 5. The cache itself
    /// does not use it: see <see cref="LockTimeout"/>.
    /// </summary>
    public int DelayMillisecondsOnUnauthorizedAccess { get; set; } = 5;

    /// <summary>Gets or sets the number of retries of <see cref="FileAccessRetry.TryAgainOnUnauthorizedAccess"/>. The default is 20.</summary>
    public int NumTriesOnUnauthorizedAccess { get; set; } = 20;

    /// <summary>
    /// Has no effect, because a process may open any number of caches. The property exists so that code written for Net.DistributedFileStoreCache compiles.
    /// </summary>
    public bool TurnOffStaticFilePathCheck { get; set; }

    /// <summary>
    /// Gets or sets how long a write waits for other writers before it throws. The range is 0 to 1 hour; the default is 5 s. Reads never wait for a writer. The
    /// wait does not include time in which the machine was too busy to run this process. Therefore a write can wait up to four times as long by the wall clock.
    /// </summary>
    public TimeSpan LockTimeout { get; set; } = TimeSpan.FromSeconds(5);

    /// <summary>Gets or sets when the file is flushed to the disk. The default is <see cref="FileStoreDurability.None"/>.</summary>
    public FileStoreDurability Durability { get; set; }

    /// <summary>Gets or sets how processes detect each other's writes. The default is <see cref="FileStoreCoherence.Automatic"/>.</summary>
    public FileStoreCoherence Coherence { get; set; }

    /// <summary>
    /// Gets or sets how long reads may use the entries in memory before they check the file again. Applies only to <see cref="FileStoreCoherence.Polled"/>. The
    /// range is 0 to 1 hour; the default is 250 ms.
    /// </summary>
    public TimeSpan PollInterval { get; set; } = TimeSpan.FromMilliseconds(250);

    /// <summary>
    /// Gets or sets the Unix file mode of the cache's files. The mode is applied exactly, regardless of the umask. The owner must be able to read and write. To
    /// share the cache among users, also allow the group to read and write, and set the setgid bit of the folder. The default is null: 0600, or the mode of the
    /// existing file. On Windows the access rights of the folder apply.
    /// </summary>
    public UnixFileMode? UnixCreateMode { get; set; }

    /// <summary>
    /// Gets or sets whether the cache is read-only. A read-only cache is intended, for example, for processes whose account has no write access. The default is
    /// false. A read-only cache creates and changes no file, lock or folder and never compacts. Every call that changes entries, including <c>Refresh</c>,
    /// throws <see cref="NotSupportedException"/>. Reads do not extend sliding expirations. Writes of other processes are visible immediately if the .idx file
    /// can be read, otherwise after at most <see cref="PollInterval"/>. Opening throws <see cref="DistributedFileStoreCacheException"/> if the file does not
    /// exist. If the file is deleted later, the cache is empty until a new file appears.
    /// </summary>
    public bool ReadOnly { get; set; }

    /// <summary>
    /// Gets or sets whether a new cache imports the entries of <c>{First}.{Second}.json</c>, a file of Net.DistributedFileStoreCache, in the same folder. That
    /// file is not changed. The default is true.
    /// </summary>
    public bool ImportOldFile { get; set; } = true;

    /// <summary>
    /// Gets or sets the clock for expirations. The default is null: the registered <see cref="TimeProvider"/> is used, or the system clock if none is
    /// registered.
    /// </summary>
    public TimeProvider? TimeProvider { get; set; }

    /// <summary>
    /// Gets or sets the logger factory. The log category is Larder.FileStore. The default is null: the registered logger factory is used, or nothing is logged
    /// if none is registered.
    /// </summary>
    public ILoggerFactory? LoggerFactory { get; set; }

    /// <summary>
    /// Computes <see cref="MaxBytes"/> as maxEntries × (maxKeyLength + maxValueLength × charSize + 6) + 29, plus maxKeyLength + 25 for each entry that expires.
    /// </summary>
    /// <param name="maxEntries">The maximum number of entries.</param>
    /// <param name="maxKeyLength">The maximum length of a key, in characters.</param>
    /// <param name="maxValueLength">The maximum length of a value, in characters.</param>
    /// <param name="charSize">The bytes per character of a value: 1 for ASCII, up to 6 for escaped text.</param>
    /// <param name="percentWithTimeout">The percentage of entries that expire, 0 to 100.</param>
    public void SetMaxBytesByCalculation(int maxEntries, int maxKeyLength, int maxValueLength, int charSize = 1, int percentWithTimeout = 0)
    {
        long entries = (long)maxEntries * (maxKeyLength + (long)maxValueLength * charSize + 6) + 29;
        long timeouts = (long)maxEntries * percentWithTimeout / 100 * (maxKeyLength + 19 + 6);
        MaxBytes = entries + timeouts;
    }
}
