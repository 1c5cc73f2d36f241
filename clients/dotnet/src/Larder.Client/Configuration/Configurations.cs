namespace Larder.Client;

/// <summary>
/// Tuned configurations. <c>V1()</c> never changes; <c>Latest()</c> may improve with a new version of this package. The unary limits come from published tuning
/// runs of comparable clients, repeated together with Larder's own measurements in <c>docs/story/dotnet.md</c>. The pipelined limits come from Larder's own
/// runs, through a delay proxy that simulates the network (<c>tuner/results/in-region-1ms</c>, <c>tuner/results/laptop-30ms</c>). Each limit is at the knee: a
/// lower one reduces throughput, and a higher one only adds waiting.
/// </summary>
public static class Configurations
{
    /// <summary>For a developer's machine, away from the server: a long deadline and a moderate load.</summary>
    public static class Laptop
    {
        /// <summary>
        /// Version 1: deadline 5 s, 200 in flight unary, 1,000 pipelined, 3 retries. With a round trip of 30 to 35 ms, each slot in flight completes 30 calls a
        /// second, and none waits: 987 in flight gave 26,762 calls a second at p99.9 36.6 ms, and 5,000 gave 141,373 at 42.0 ms. 1,000 is moderate; raise it
        /// for more throughput. Unary: <c>docs/story/dotnet.md</c>, "Connections with and without a concurrency limit" and "Client on a laptop".
        /// </summary>
        public static Configuration V1() => new()
        {
            RequestTimeout = TimeSpan.FromSeconds(5),
            MaxInFlightUnary = 200,
            MaxInFlightPipeline = 1_000,
            QueueLimit = 20_000,
            MaxRetries = 3,
        };

        /// <summary>Returns the newest version, which is <see cref="V1"/>.</summary>
        public static Configuration Latest() => V1();
    }

    /// <summary>For a service in the server's region.</summary>
    public static class InRegion
    {
        /// <summary>Optimized for throughput: p99.9 below 20 ms.</summary>
        public static class Default
        {
            /// <summary>
            /// Version 1: deadline 1,100 ms, 200 in flight unary, 2,500 pipelined, 3 retries. With a round trip of 1 ms, 2,584 in flight gave 1,176,027 calls a
            /// second at p99.9 6.81 ms, which is 96 % of the maximum over all limits (5,000: 9.26 ms); 987 gave 525,329. Unary: <c>docs/story/dotnet.md</c>,
            /// "In the server's region" and "Two targets".
            /// </summary>
            public static Configuration V1() => Laptop.V1() with { RequestTimeout = TimeSpan.FromMilliseconds(1_100), MaxInFlightPipeline = 2_500 };

            /// <summary>Returns the newest version, which is <see cref="V1"/>.</summary>
            public static Configuration Latest() => V1();
        }

        /// <summary>Optimized for latency: p99.9 below 5 ms.</summary>
        public static class LowLatency
        {
            /// <summary>
            /// Version 1: deadline 500 ms, 25 in flight unary, 1,000 pipelined, 3 retries. With a round trip of 1 ms, 987 in flight gave 525,329 calls a second
            /// at p99.9 4.02 ms; 1,597 missed the target, with 5.10 ms. Unary: <c>docs/story/dotnet.md</c>, "In the server's region" and "Two targets".
            /// </summary>
            public static Configuration V1() => Laptop.V1() with
            {
                RequestTimeout = TimeSpan.FromMilliseconds(500),
                MaxInFlightUnary = 25,
                MaxInFlightPipeline = 1_000,
            };

            /// <summary>Returns the newest version, which is <see cref="V1"/>.</summary>
            public static Configuration Latest() => V1();
        }
    }

    /// <summary>
    /// For a function whose process is frozen between requests: one channel, connected before the first call, and no pings, which a frozen process would miss.
    /// </summary>
    public static class Lambda
    {
        /// <summary>Version 1: <see cref="InRegion.Default.V1"/> with one channel, 100 in flight unary, eager connect and no keepalive.</summary>
        public static Configuration V1() => InRegion.Default.V1() with
        {
            Channels = 1,
            // One channel carries 100 streams.
            MaxInFlightUnary = 100,
            EagerConnect = true,
            KeepaliveInterval = null,
        };

        /// <summary>Returns the newest version, which is <see cref="V1"/>.</summary>
        public static Configuration Latest() => V1();
    }
}
