namespace Larder.Testing;

/// <summary>How a <see cref="LarderTestServer"/> runs; each has a default that suits a test.</summary>
public sealed record LarderTestServerOptions
{
    /// <summary>The port of 127.0.0.1 that it listens on, 0 to 65535. Default 0: a free one.</summary>
    public int Port { get; init; }

    /// <summary>What it may hold, in bytes, 16 MiB or more; past it items are evicted. Nothing is taken before it is used. Default 64 MiB.</summary>
    public long MemoryBytes { get; init; } = 64L << 20;

    /// <summary>The cache that is there from the start, 1 to 255 characters. Default <c>cache</c>.</summary>
    public string CacheName { get; init; } = "cache";

    /// <summary>The longest time to live that it takes, 1 s to 365 days. Default 24 h, as a server's.</summary>
    public TimeSpan MaxTtl { get; init; } = TimeSpan.FromHours(24);

    /// <summary>The token that each call must carry; null: none is asked for. Default null.</summary>
    public string? Token { get; init; }

    /// <summary>
    /// The clock of times to live, which a test may move. Default: the system's. A clock that jumps by more than a second looks like a paused process: calls of
    /// the next 100 ms of that clock are refused, and the clients send them again.
    /// </summary>
    public TimeProvider TimeProvider { get; init; } = TimeProvider.System;

    /// <summary>Whether calls may ask for faults by their metadata, as the conformance runner's do. Default off.</summary>
    public bool FaultInjection { get; init; }
}
