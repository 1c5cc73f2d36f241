namespace Larder.Client;

/// <summary>
/// Configurations made by tuning, so that nobody has to. <c>V1()</c> is frozen for ever; <c>Latest()</c> may improve with a new version of
/// this package. Sources: for the unary caps the published tuning runs of such clients, run again beside Larder's own figures in
/// <c>docs/story/dotnet.md</c>; for the pipelined ones Larder's own, through a delay proxy that stands for the network
/// (<c>tuner/results/in-region-1ms</c>, <c>tuner/results/laptop-30ms</c>). A cap is the knee there: fewer get less done, more only wait.
/// </summary>
public static class Configurations
{
    /// <summary>A developer's machine, away from the server: lenient deadline, moderate load.</summary>
    public static class Laptop
    {
        /// <summary>
        /// Version 1: deadline 5 s, 200 in flight unary, 1,000 pipelined, 3 retries. Over 30 to 35 ms there and back, each call in flight gets 30 a second done
        /// and none waits: 987 in flight gave 26,762 calls a second at p99.9 36.6 ms, 5,000 gave 141,373 at 42.0 ms. A thousand is moderate; raise it for more.
        /// Unary: <c>docs/story/dotnet.md</c>, "Connections, with the cap off and on" and "From a laptop".
        /// </summary>
        public static Configuration V1() => new()
        {
            RequestTimeout = TimeSpan.FromSeconds(5),
            MaxInFlightUnary = 200,
            MaxInFlightPipeline = 1_000,
            QueueLimit = 20_000,
            MaxRetries = 3,
        };

        /// <summary>The newest version; now <see cref="V1"/>.</summary>
        public static Configuration Latest() => V1();
    }

    /// <summary>A service in the server's region.</summary>
    public static class InRegion
    {
        /// <summary>Throughput first: p99.9 under 20 ms.</summary>
        public static class Default
        {
            /// <summary>
            /// Version 1: deadline 1,100 ms, 200 in flight unary, 2,500 pipelined, 3 retries. Over 1 ms there and back, 2,584 in flight gave 1,176,027 calls a
            /// second at p99.9 6.81 ms, 96 % of the most that any number gave (5,000: 9.26 ms); 987 gave 525,329. Unary: <c>docs/story/dotnet.md</c>,
            /// "In the server's region" and "Two targets".
            /// </summary>
            public static Configuration V1() => Laptop.V1() with { RequestTimeout = TimeSpan.FromMilliseconds(1_100), MaxInFlightPipeline = 2_500 };

            /// <summary>The newest version; now <see cref="V1"/>.</summary>
            public static Configuration Latest() => V1();
        }

        /// <summary>Latency first: p99.9 under 5 ms.</summary>
        public static class LowLatency
        {
            /// <summary>
            /// Version 1: deadline 500 ms, 25 in flight unary, 1,000 pipelined, 3 retries. Over 1 ms there and back, 987 in flight gave 525,329 calls a second
            /// at p99.9 4.02 ms; 1,597 were over the target, with 5.10 ms. Unary: <c>docs/story/dotnet.md</c>, "In the server's region" and "Two targets".
            /// </summary>
            public static Configuration V1() => Laptop.V1() with
            {
                RequestTimeout = TimeSpan.FromMilliseconds(500),
                MaxInFlightUnary = 25,
                MaxInFlightPipeline = 1_000,
            };

            /// <summary>The newest version; now <see cref="V1"/>.</summary>
            public static Configuration Latest() => V1();
        }
    }

    /// <summary>A function that is frozen between requests: one channel, connected before the first call, and no pings to miss while frozen.</summary>
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

        /// <summary>The newest version; now <see cref="V1"/>.</summary>
        public static Configuration Latest() => V1();
    }
}
