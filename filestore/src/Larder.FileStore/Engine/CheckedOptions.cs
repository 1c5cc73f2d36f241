namespace Larder.FileStore.Engine;

/// <summary>Validates the options and converts them to the engine's settings.</summary>
internal static class CheckedOptions
{
    internal static FileStoreSettings ToSettings(this DistributedFileStoreCacheOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        RequireNames(options);
        RequireRange(options.MaxBytes is > 0 and <= 1L << Word.LengthBits, nameof(options.MaxBytes), options.MaxBytes, "1 to 2^40 bytes");
        RequireRange(IsUpToAnHour(options.LockTimeout), nameof(options.LockTimeout), options.LockTimeout, "0 to 1 hour");
        RequireRange(IsUpToAnHour(options.PollInterval), nameof(options.PollInterval), options.PollInterval, "0 to 1 hour");
        RequireDefined(options.WhichVersion, nameof(options.WhichVersion));
        RequireDefined(options.WhenFull, nameof(options.WhenFull));
        RequireDefined(options.Durability, nameof(options.Durability));
        RequireDefined(options.Coherence, nameof(options.Coherence));
        const UnixFileMode owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        RequireRange(
            (options.UnixCreateMode ?? owner).HasFlag(owner),
            nameof(options.UnixCreateMode),
            options.UnixCreateMode!,
            "a mode that lets the owner read and write");
        string path = options.FormCacheFilePath();
        return new FileStoreSettings
        {
            Path = path,
            ImportPath = options.ImportOldFile ? Path.ChangeExtension(path, ".json") : null,
            MaxBytes = options.MaxBytes,
            WhenFull = options.WhenFull,
            LockTimeout = options.LockTimeout,
            Durability = options.Durability,
            Coherence = options.Coherence,
            PollInterval = options.PollInterval,
            UnixCreateMode = options.UnixCreateMode,
            ReadOnly = options.ReadOnly,
            TimeProvider = options.TimeProvider ?? TimeProvider.System,
            LoggerFactory = options.LoggerFactory,
        };
    }

    internal static void RequireNames(DistributedFileStoreCacheOptions options)
    {
        Require(options.PathToCacheFileDirectory, nameof(options.PathToCacheFileDirectory));
        Require(options.SecondPartOfCacheFileName, nameof(options.SecondPartOfCacheFileName));
        string name = options.FormCacheFileName();
        if (string.IsNullOrEmpty(options.FirstPartOfCacheFileName) || name.AsSpan().ContainsAny('/', '\\', '\0'))
        {
            throw new DistributedFileStoreCacheException(
                $"Invalid cache file name '{name}'. FirstPartOfCacheFileName must not be empty, and the name must not contain a slash, a backslash or a null "
                + "character.");
        }
    }

    private static void Require(string? value, string property)
    {
        if (string.IsNullOrEmpty(value))
        {
            throw new DistributedFileStoreCacheException(
                $"The path of the cache file is unknown. Set the {property} property of the options, or pass the environment to AddDistributedFileStoreCache.");
        }
    }

    private static bool IsUpToAnHour(TimeSpan span) => span >= TimeSpan.Zero && span <= TimeSpan.FromHours(1);

    private static void RequireRange(bool holds, string property, object value, string range)
    {
        if (!holds)
        {
            throw new ArgumentOutOfRangeException(property, value, $"{property} must be {range}.");
        }
    }

    private static void RequireDefined<T>(T value, string property)
        where T : struct, Enum =>
        RequireRange(Enum.IsDefined(value), property, value, $"a defined value of {typeof(T).Name}");
}
