namespace Larder.Client;

/// <summary>
/// Tuned configurations. <c>V1()</c> never changes. <c>Latest()</c> may change with a new version of this package. The unary limits come from published tuning
/// runs of comparable clients, which <c>docs/story/dotnet.md</c> shows together with Larder's own measurements. The pipelined limits come from Larder's own
/// runs, through a delay proxy that simulates the network (<c>tuner/results/in-region-1ms</c>, <c>tuner/results/laptop-30ms</c>). Each limit is a compromise: a
/// lower limit reduces throughput, and a higher limit mainly increases latency.
/// </summary>
public static class Configurations
{
    /// <summary>For a developer's machine that is far from the server: a long timeout and a moderate load.</summary>
    public static class Laptop
    {
        /// <summary>
        /// Returns version 1: a timeout of 5 s, 200 unary or 1,000 pipelined requests in flight, and 3 retries. With a round trip of 30 to 35 ms, a limit of
        /// one request in flight permits about 30 calls per second. 987 requests in flight reached 26,762 calls per second with a p99.9 of 36.6 ms, and 5,000
        /// reached 141,373 calls per second with 42.0 ms. 1,000 is a moderate limit: raise it for more throughput. For the unary limit, see "Connections with
        /// and without a concurrency limit" and "Client on a laptop" in <c>docs/story/dotnet.md</c>.
        /// </summary>
        public static Configuration V1() => new()
        {
            RequestTimeout = TimeSpan.FromSeconds(5),
            MaxInFlightUnary = 200,
            MaxInFlightPipeline = 1_000,
            QueueLimit = 20_000,
            MaxRetries = 3,
        };

        /// <summary>Returns the latest version, which is <see cref="V1"/>.</summary>
        public static Configuration Latest() => V1();
    }

    /// <summary>For a service in the server's region.</summary>
    public static class InRegion
    {
        /// <summary>Optimized for throughput, with a target p99.9 below 20 ms.</summary>
        public static class Default
        {
            /// <summary>
            /// Returns version 1: a timeout of 1,100 ms, at most 200 unary or 2,500 pipelined requests in flight, and 3 retries. The pipelined limit is near
            /// the tested limit of 2,584, which reached 96 % of the best throughput with a p99.9 of 6.81 ms at a round trip of 1 ms. For the unary limit, see
            /// "In the server's region" and "Two targets" in <c>docs/story/dotnet.md</c>.
            /// </summary>
            public static Configuration V1() => Laptop.V1() with { RequestTimeout = TimeSpan.FromMilliseconds(1_100), MaxInFlightPipeline = 2_500 };

            /// <summary>Returns the latest version, which is <see cref="V1"/>.</summary>
            public static Configuration Latest() => V1();
        }

        /// <summary>Optimized for latency, with a target p99.9 below 5 ms.</summary>
        public static class LowLatency
        {
            /// <summary>
            /// Returns version 1: a timeout of 500 ms, 25 unary or 1,000 pipelined requests in flight, and 3 retries. With a round trip of 1 ms, 987 requests
            /// in flight reached 525,329 calls per second with a p99.9 of 4.02 ms. 1,597 requests in flight missed the target, with 5.10 ms. For the unary
            /// limit, see "In the server's region" and "Two targets" in <c>docs/story/dotnet.md</c>.
            /// </summary>
            public static Configuration V1() => Laptop.V1() with
            {
                RequestTimeout = TimeSpan.FromMilliseconds(500),
                MaxInFlightUnary = 25,
                MaxInFlightPipeline = 1_000,
            };

            /// <summary>Returns the latest version, which is <see cref="V1"/>.</summary>
            public static Configuration Latest() => V1();
        }
    }

    /// <summary>
    /// For a function (such as AWS Lambda) whose process is frozen between requests. There is one channel, which is connected before the first call. There are
    /// no pings, because a frozen process would miss their acknowledgements.
    /// </summary>
    public static class Lambda
    {
        /// <summary>
        /// Returns version 1: <see cref="InRegion.Default.V1"/> with one channel, 100 unary requests in flight, eager connecting and no keepalive pings.
        /// </summary>
        public static Configuration V1() => InRegion.Default.V1() with
        {
            Channels = 1,
            // The server allows 100 streams on one channel.
            MaxInFlightUnary = 100,
            EagerConnect = true,
            KeepaliveInterval = null,
        };

        /// <summary>Returns the latest version, which is <see cref="V1"/>.</summary>
        public static Configuration Latest() => V1();
    }
}
