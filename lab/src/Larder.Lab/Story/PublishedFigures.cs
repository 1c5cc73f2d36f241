namespace Larder.Lab.Story;

/// <summary>
/// The published results of the tuned cache clients on which Larder is based. They were measured on other machines: a 16-core machine in the region of the
/// service, or a laptop far from it. Absolute values are therefore not comparable, but ratios and numbers of requests in flight are.
/// </summary>
internal static class PublishedFigures
{
    /// <summary>The number of streams that the server allows per connection. .NET opens another connection for the 101st, 201st … concurrent request.</summary>
    public const int StreamsPerConnection = 100;

    /// <summary>
    /// Node, on a laptop, with 5,000 concurrent calls: the calls per second with five channels and local pools, divided by those with one channel.
    /// </summary>
    public const double ChannelsRate = 2.6;

    /// <summary>Node: the p50 with five channels and local pools, divided by the p50 with one channel.</summary>
    public const double ChannelsP50 = 1 / 43.0;

    /// <summary>Python: the factor by which a local pool or more channels changed the result. Neither had an effect.</summary>
    public const double NoChange = 1;

    /// <summary>Python: the factor by which uvloop changed the result.</summary>
    public const double Uvloop = 1.1;

    /// <summary>Python: the range of the best numbers of calls in flight.</summary>
    public const int BestFrom = 50, BestTo = 100;

    /// <summary>
    /// Node, on a laptop: the approximate calls per second and the p99.9 in µs with 100 requests in flight, and the p99.9 in µs with 200 requests in flight.
    /// </summary>
    public const double LaptopRate = 5_000, LaptopP999Us = 39_000, LaptopP999AtTwiceUs = 292_000;

    /// <summary>.NET, on a laptop: the calls per second. The client used about a fifth of the laptop's processors.</summary>
    public const double DotnetLaptopRate = 11_000;

    /// <summary>Node, with a concurrency limit of 10 and a deadline of 300 ms: the latency of the slowest call, in µs.</summary>
    public const double SlowestUs = 4_562_000;

    /// <summary>Returns the published results for the target p99.9 below 5 ms or 20 ms; null for other limits.</summary>
    public static PublishedTarget? Target(string language, double limitUs) => (language, limitUs) switch
    {
        ("dotnet", 20_000) => new(26_000, 200),
        ("dotnet", 5_000) => new(11_000, 25),
        ("python", 20_000) => new(9_100, 50),
        ("python", 5_000) => new(3_500, 5),
        ("node", 20_000) => new(8_300, 50),
        ("node", 5_000) => new(1_900, 2),
        _ => null,
    };
}
