namespace Larder.Client;

/// <summary>
/// Configurations made by tuning, so that nobody has to. <c>V1()</c> is frozen for ever; <c>Latest()</c> may improve with a new version of
/// this package. Sources: the published tuning runs (background.md) for the unary caps, Larder's own for the pipelined ones.
/// </summary>
public static class Configurations
{
    /// <summary>A developer's machine, away from the server: lenient deadline, moderate load.</summary>
    public static class Laptop
    {
        /// <summary>Version 1: deadline 5 s, 200 in flight unary, 1,000 pipelined, 3 retries.</summary>
        public static Configuration V1() => new()
        {
            RequestTimeout = TimeSpan.FromSeconds(5),
            MaxInFlight = 200,
            MaxInFlightPipelined = 1_000,
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
            /// <summary>Version 1: deadline 1,100 ms, 200 in flight unary, 1,000 pipelined, 3 retries.</summary>
            public static Configuration V1() => Laptop.V1() with { RequestTimeout = TimeSpan.FromMilliseconds(1_100) };

            /// <summary>The newest version; now <see cref="V1"/>.</summary>
            public static Configuration Latest() => V1();
        }

        /// <summary>Latency first: p99.9 under 5 ms.</summary>
        public static class LowLatency
        {
            /// <summary>Version 1: deadline 500 ms, 25 in flight unary, 100 pipelined, 3 retries.</summary>
            public static Configuration V1() => Laptop.V1() with
            {
                RequestTimeout = TimeSpan.FromMilliseconds(500),
                MaxInFlight = 25,
                MaxInFlightPipelined = 100,
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
            MaxInFlight = 100,
            EagerConnect = true,
            KeepalivePingDelay = null,
        };

        /// <summary>The newest version; now <see cref="V1"/>.</summary>
        public static Configuration Latest() => V1();
    }
}
