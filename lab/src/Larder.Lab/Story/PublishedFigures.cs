namespace Larder.Lab.Story;

/// <summary>
/// What was published of the tuned cache clients that Larder started from, on their machines: a 16-core machine beside the service, or a laptop away from it.
/// Absolutes mean nothing here; ratios, and numbers in flight, are what can be compared.
/// </summary>
internal static class PublishedFigures
{
    /// <summary>Streams that the server allows on a connection; .NET's stack opens another at the 101st, the 201st … concurrent request.</summary>
    public const int StreamsPerConnection = 100;

    /// <summary>Node, on a laptop, 5,000 concurrent, from one channel to five with local pools: calls a second rose by this.</summary>
    public const double ChannelsRate = 2.6;

    /// <summary>And p50 became this part.</summary>
    public const double ChannelsP50 = 1 / 43.0;

    /// <summary>Python: a local pool, and channels beyond one, change nothing.</summary>
    public const double NoChange = 1;

    /// <summary>Python: what uvloop brings.</summary>
    public const double Uvloop = 1.1;

    /// <summary>Python: best with so many in flight.</summary>
    public const int BestFrom = 50, BestTo = 100;

    /// <summary>Node on a laptop: 100 in flight, about so many calls a second; p99.9 in µs there, and with 200.</summary>
    public const double LaptopRate = 5_000, LaptopP999Us = 39_000, LaptopP999AtTwiceUs = 292_000;

    /// <summary>.NET on a laptop: calls a second, at about a fifth of its processors.</summary>
    public const double DotnetLaptopRate = 11_000;

    /// <summary>Node, caps of 10 and a deadline of 300 ms: the slowest caller waited so long, in µs.</summary>
    public const double SlowestUs = 4_562_000;

    /// <summary>For p99.9 below 5 ms or 20 ms; null for another limit.</summary>
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
