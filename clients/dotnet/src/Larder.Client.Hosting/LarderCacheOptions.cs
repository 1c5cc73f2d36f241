namespace Larder.Client;

/// <summary>
/// A client's settings as an application's configuration gives them (<c>appsettings.json</c>, environment). What is left out keeps the value of
/// <see cref="Profile"/>.
/// </summary>
public sealed class LarderCacheOptions
{
    /// <summary>
    /// The server and the token: <c>http[s]://[token@]host[:port]</c>. Default: the environment variable <c>LARDER_URL</c>, otherwise this machine in
    /// plaintext.
    /// </summary>
    public string? Url { get; set; }

    /// <summary>
    /// Which of <see cref="Configurations"/>: <c>Laptop</c>, <c>InRegion.Default</c>, <c>InRegion.LowLatency</c> or <c>Lambda</c>, each its latest version.
    /// Default <c>Laptop</c>.
    /// </summary>
    public string Profile { get; set; } = "Laptop";

    /// <summary>Time to live of sets that give none: over 0, at most 365 days, or what the server allows. Default 1 h.</summary>
    public TimeSpan DefaultTtl { get; set; } = TimeSpan.FromHours(1);

    /// <summary><see cref="Configuration.RequestTimeout"/>; null: the profile's.</summary>
    public TimeSpan? RequestTimeout { get; set; }

    /// <summary><see cref="Configuration.MaxInFlightUnary"/>; null: the profile's.</summary>
    public int? MaxInFlightUnary { get; set; }

    /// <summary><see cref="Configuration.MaxInFlightPipeline"/>; null: the profile's.</summary>
    public int? MaxInFlightPipeline { get; set; }

    /// <summary><see cref="Configuration.AdaptiveTarget"/>; null: the profile's.</summary>
    public TimeSpan? AdaptiveTarget { get; set; }

    /// <summary><see cref="Configuration.QueueLimit"/>; null: the profile's.</summary>
    public int? QueueLimit { get; set; }

    /// <summary><see cref="Configuration.Channels"/>; null: the profile's.</summary>
    public int? Channels { get; set; }

    /// <summary><see cref="Configuration.MaxRetries"/>; null: the profile's.</summary>
    public int? MaxRetries { get; set; }

    /// <summary><see cref="Configuration.Transport"/>; null: the profile's.</summary>
    public Transport? Transport { get; set; }

    /// <summary><see cref="NearCache.MaxBytes"/> of a near cache for all caches and keys; null: the client has none.</summary>
    public long? NearCacheBytes { get; set; }

    /// <summary>Changes the configuration last of all, for what has no setting here; null: nothing.</summary>
    public Func<Configuration, Configuration>? Configure { get; set; }

    internal CredentialProvider Credentials()
    {
        if (!string.IsNullOrWhiteSpace(Url))
        {
            return CredentialProvider.FromString(Url);
        }

        return string.IsNullOrWhiteSpace(Environment.GetEnvironmentVariable(CredentialProvider.DefaultVariable))
            ? CredentialProvider.Local()
            : CredentialProvider.FromEnvironmentVariable();
    }

    internal Configuration Build()
    {
        Configuration profile = ProfileOf(Profile);
        Configuration built = profile with
        {
            RequestTimeout = RequestTimeout ?? profile.RequestTimeout,
            MaxInFlightUnary = MaxInFlightUnary ?? profile.MaxInFlightUnary,
            MaxInFlightPipeline = MaxInFlightPipeline ?? profile.MaxInFlightPipeline,
            AdaptiveTarget = AdaptiveTarget ?? profile.AdaptiveTarget,
            QueueLimit = QueueLimit ?? profile.QueueLimit,
            Channels = Channels ?? profile.Channels,
            MaxRetries = MaxRetries ?? profile.MaxRetries,
            Transport = Transport ?? profile.Transport,
            NearCache = NearCacheBytes is { } bytes ? new NearCache { MaxBytes = bytes } : profile.NearCache,
        };
        return Configure?.Invoke(built) ?? built;
    }

    private static Configuration ProfileOf(string name) => name.ToUpperInvariant() switch
    {
        "LAPTOP" => Configurations.Laptop.Latest(),
        "INREGION.DEFAULT" => Configurations.InRegion.Default.Latest(),
        "INREGION.LOWLATENCY" => Configurations.InRegion.LowLatency.Latest(),
        "LAMBDA" => Configurations.Lambda.Latest(),
        _ => throw new ArgumentException($"The profile '{name}' is none of Laptop, InRegion.Default, InRegion.LowLatency and Lambda."),
    };
}
