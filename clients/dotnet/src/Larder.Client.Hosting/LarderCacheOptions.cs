namespace Larder.Client;

/// <summary>
/// The settings of a client, bound from an application's configuration (<c>appsettings.json</c>, environment). A setting that is null has the value of the
/// configuration that <see cref="Profile"/> names.
/// </summary>
public sealed class LarderCacheOptions
{
    /// <summary>
    /// Gets or sets the server's address and the token: <c>http[s]://[token@]host[:port]</c>. The default is null: the value of the environment variable
    /// <c>LARDER_URL</c> if it is set, otherwise <c>http://127.0.0.1:8080</c>.
    /// </summary>
    public string? Url { get; set; }

    /// <summary>
    /// Gets or sets the name of the <see cref="Configurations"/> member to use: <c>Laptop</c>, <c>InRegion.Default</c>, <c>InRegion.LowLatency</c> or
    /// <c>Lambda</c>. The latest version of the member is used. The default is <c>Laptop</c>.
    /// </summary>
    public string Profile { get; set; } = "Laptop";

    /// <summary>
    /// Gets or sets the default time to live. It applies to calls that do not set one. It must be greater than 0, and at most 365 days or the server's limit if
    /// that is lower. The default is 1 h.
    /// </summary>
    public TimeSpan DefaultTtl { get; set; } = TimeSpan.FromHours(1);

    /// <summary>Gets or sets <see cref="Configuration.RequestTimeout"/>. The default is null: the profile's value.</summary>
    public TimeSpan? RequestTimeout { get; set; }

    /// <summary>Gets or sets <see cref="Configuration.MaxInFlightUnary"/>. The default is null: the profile's value.</summary>
    public int? MaxInFlightUnary { get; set; }

    /// <summary>Gets or sets <see cref="Configuration.MaxInFlightPipeline"/>. The default is null: the profile's value.</summary>
    public int? MaxInFlightPipeline { get; set; }

    /// <summary>Gets or sets <see cref="Configuration.PipelineConnections"/>. The default is null: the profile's value.</summary>
    public int? PipelineConnections { get; set; }

    /// <summary>Gets or sets <see cref="Configuration.AdaptiveTarget"/>. The default is null: the profile's value.</summary>
    public TimeSpan? AdaptiveTarget { get; set; }

    /// <summary>Gets or sets <see cref="Configuration.QueueLimit"/>. The default is null: the profile's value.</summary>
    public int? QueueLimit { get; set; }

    /// <summary>Gets or sets <see cref="Configuration.Channels"/>. The default is null: the profile's value.</summary>
    public int? Channels { get; set; }

    /// <summary>Gets or sets <see cref="Configuration.MaxRetries"/>. The default is null: the profile's value.</summary>
    public int? MaxRetries { get; set; }

    /// <summary>Gets or sets <see cref="Configuration.Transport"/>. The default is null: the profile's value.</summary>
    public Transport? Transport { get; set; }

    /// <summary>Gets or sets <see cref="NearCache.MaxBytes"/> of a near cache that covers all caches and keys. The default is null: no near cache.</summary>
    public long? NearCacheBytes { get; set; }

    /// <summary>
    /// Gets or sets a function that changes the configuration after all other settings are applied. Use it for settings that this class lacks. The default is
    /// null: no further change.
    /// </summary>
    public Func<Configuration, Configuration>? Configure { get; set; }

    /// <summary>Gets the keys for which adapters of this client need a near cache. They apply if no other setting configures a near cache.</summary>
    internal List<NearScope> NearScopes { get; } = [];

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
            PipelineConnections = PipelineConnections ?? profile.PipelineConnections,
            AdaptiveTarget = AdaptiveTarget ?? profile.AdaptiveTarget,
            QueueLimit = QueueLimit ?? profile.QueueLimit,
            Channels = Channels ?? profile.Channels,
            MaxRetries = MaxRetries ?? profile.MaxRetries,
            Transport = Transport ?? profile.Transport,
            NearCache = NearCacheBytes is { } bytes ? new NearCache { MaxBytes = bytes } : profile.NearCache,
        };
        return NearScope.Apply(NearScopes, Configure?.Invoke(built) ?? built);
    }

    private static Configuration ProfileOf(string name) => name.ToUpperInvariant() switch
    {
        "LAPTOP" => Configurations.Laptop.Latest(),
        "INREGION.DEFAULT" => Configurations.InRegion.Default.Latest(),
        "INREGION.LOWLATENCY" => Configurations.InRegion.LowLatency.Latest(),
        "LAMBDA" => Configurations.Lambda.Latest(),
        _ => throw new ArgumentException($"Unknown profile '{name}'; it must be Laptop, InRegion.Default, InRegion.LowLatency or Lambda."),
    };
}
