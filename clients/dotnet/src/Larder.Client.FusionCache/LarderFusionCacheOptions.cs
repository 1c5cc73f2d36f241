namespace Larder.Client;

/// <summary>The settings of a FusionCache on a Larder server.</summary>
public sealed class LarderFusionCacheOptions
{
    private static readonly TimeSpan MinLock = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan MaxLock = TimeSpan.FromHours(1);

    /// <summary>
    /// Gets or sets the name of the server's cache that contains the entries, the locks and the topic of the backplane. The default is <c>cache</c>, which
    /// exists on every new server.
    /// </summary>
    public string CacheName { get; set; } = "cache";

    /// <summary>
    /// Gets or sets the prefix of every key and of the topic. Different prefixes allow several applications to share a cache. The default is empty: no prefix.
    /// </summary>
    public string KeyPrefix { get; set; } = "";

    /// <summary>
    /// Gets or sets the service key of the client (<see cref="LarderServiceCollectionExtensions"/>.AddKeyedLarderCache). The default is null: the
    /// application's client.
    /// </summary>
    public object? ClientServiceKey { get; set; }

    /// <summary>Gets or sets whether FusionCache stores its entries on the server. The default is true.</summary>
    public bool UseDistributedCache { get; set; } = true;

    /// <summary>Gets or sets whether changes reach the memory of the other processes. The default is true.</summary>
    public bool UseBackplane { get; set; } = true;

    /// <summary>Gets or sets whether one process loads a missing value for all processes. The default is true.</summary>
    public bool UseDistributedLocker { get; set; } = true;

    /// <summary>
    /// Gets or sets how long a lock lives if its process dies: 1 s to 1 h, and at most the server's <c>--max-ttl</c>. A process that holds a lock renews it.
    /// A lock that has been held for 20 times this duration is not renewed any more. The default is 30 s.
    /// </summary>
    public TimeSpan LockDuration { get; set; } = TimeSpan.FromSeconds(30);

    /// <exception cref="ArgumentException">A setting is invalid.</exception>
    internal void Check()
    {
        ArgumentNullException.ThrowIfNull(CacheName, nameof(CacheName));
        ArgumentNullException.ThrowIfNull(KeyPrefix, nameof(KeyPrefix));
        if (!((CacheBytes)KeyPrefix).IsWellFormed)
        {
            throw new ArgumentException($"{nameof(LarderFusionCacheOptions)}.{nameof(KeyPrefix)} must be valid Unicode text.");
        }

        if (LockDuration < MinLock || LockDuration > MaxLock)
        {
            throw new ArgumentException($"{nameof(LarderFusionCacheOptions)}.{nameof(LockDuration)} must be 1 s to 1 h, but is {LockDuration}.");
        }
    }
}
