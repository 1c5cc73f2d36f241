namespace Larder.FileStore;

/// <summary>Builds the name and the path of the cache file.</summary>
public static class CacheFilePath
{
    /// <summary>Returns the name of the file, <c>{First}.{Second}.jsonl</c>.</summary>
    /// <param name="options">The settings; <see cref="DistributedFileStoreCacheOptions.SecondPartOfCacheFileName"/> must be set.</param>
    public static string FormCacheFileName(this DistributedFileStoreCacheOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return $"{options.FirstPartOfCacheFileName}.{options.SecondPartOfCacheFileName}.jsonl";
    }

    /// <summary>Returns the full path of the file.</summary>
    /// <param name="options">
    /// The settings; <see cref="DistributedFileStoreCacheOptions.SecondPartOfCacheFileName"/> and
    /// <see cref="DistributedFileStoreCacheOptions.PathToCacheFileDirectory"/> must be set.
    /// </param>
    public static string FormCacheFilePath(this DistributedFileStoreCacheOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        return Path.GetFullPath(Path.Combine(options.PathToCacheFileDirectory ?? "", options.FormCacheFileName()));
    }
}
